#include "app/studies/bench/result.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fnmatch.h>

namespace texelscope {

std::string short_text(const MethodSpec& spec) {
    const MethodSpec standard = default_spec(*spec.method);
    std::string settings;
    const auto add = [&](const std::string& setting) { settings += (settings.empty() ? ":" : ",") + setting; };
    if (spec.path != standard.path) add(fmt::format("path={}", name_of(spec.path)));
    if (spec.address != standard.address) add(to_settings(spec.address));
    if (spec.method->has_prefilter()) add(to_settings(spec.prefilter));
    const auto& parameters = spec.method->parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
        if (spec.parameters.value[i] != standard.parameters.value[i])
            add(fmt::format("{}={}", parameters[i].id, spec.parameters.value[i]));
    return std::string(spec.method->id) + settings;
}

std::string BenchCase::name() const {
    std::string text = fmt::format("{}/{}/{}/{}", name_of(section), view, name_of(format), short_text(spec));
    if (simple) text += "/simple";
    if (work == Work::whole_call) text += "/whole-call";
    if (section == BenchSection::resize) text += fmt::format("/{}", name_of(backend));
    return text;
}

BenchCase bilinear_of(BenchCase of) {
    MethodSpec bilinear = default_spec(parse_method("bilinear"));
    bilinear.path = of.spec.path;
    bilinear.address = of.spec.address;
    of.spec = bilinear;
    return of;
}

bool chosen_by(const std::string& pattern, const std::string& name) {
    if (pattern.find_first_of("*?[") == pattern.npos) return name.find(pattern) != name.npos;
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

std::vector<BenchCase> bench_cases(const BenchPlan& plan, const BackendInfo& backend) {
    BenchPlan wanted = plan;
    if (!plan.pattern.empty()) wanted.full = true, wanted.quick = false;
    std::vector<BenchCase> cases;
    for (const BenchSection section : plan.sections) {
        if (section == BenchSection::render) add_render_cases(wanted, backend, cases);
        if (section == BenchSection::prefilter) add_prefilter_cases(wanted, backend, cases);
        if (section == BenchSection::resize) add_resize_cases(wanted, backend, cases);
        if (section == BenchSection::paper) add_paper_cases(wanted, backend, cases);
    }
    if (plan.pattern.empty()) return cases;
    const size_t all = cases.size();
    std::erase_if(cases, [&](const BenchCase& c) { return !chosen_by(plan.pattern, c.name()); });
    if (cases.empty())
        throw UsageError(
            fmt::format("--case '{}' matches none of the {} cases; --list prints their names", plan.pattern, all));
    return cases;
}

namespace {

// Methods × paths × formats × views, thinned: every method with its paths on 8-bit colour and on float grey, the main
// methods on every format.
struct BenchView {
    std::string_view id;
    View view;
    bool antialias = false;
};

constexpr std::array<BenchView, 5> views = {{{"straight", {.translate_x = 0.5, .translate_y = 0.5}},
                                             {"zoom8", {.scale = 1.0 / 8}},
                                             {"rotate", {.rotate = 10}},
                                             {"shrink4", {.scale = 4}, true},
                                             {"shrink4-rotate", {.scale = 4, .rotate = 10}, true}}};

constexpr std::array<PixelFormat, 6> formats = {{{SampleType::u8, 4},
                                                 {SampleType::f32, 1},
                                                 {SampleType::u8, 1},
                                                 {SampleType::u16, 4},
                                                 {SampleType::f16, 4},
                                                 {SampleType::f32, 4}}};

constexpr std::array<std::string_view, 4> main_methods = {"nearest", "bilinear", "bspline", "catmull-rom"};

bool is_main(const MethodInfo& method) {
    return std::find(main_methods.begin(), main_methods.end(), method.id) != main_methods.end();
}

struct Sizes {
    int width, height, source;
};

Sizes sizes_of(const BenchPlan& plan, const BackendInfo& backend) {
    Sizes sizes = backend.kind == BackendKind::cuda ? Sizes{3840, 2160, 4096} : Sizes{640, 360, 2048};
    if (plan.quick) sizes = backend.kind == BackendKind::cuda ? Sizes{1920, 1080, 2048} : Sizes{320, 180, 512};
    return {plan.width.value_or(sizes.width), plan.height.value_or(sizes.height), plan.source.value_or(sizes.source)};
}

// Whether a case of the product is measured in a run of this length.
class Thinning {
public:
    Thinning(const BenchPlan& plan, const BackendInfo& backend)
        : plan_(plan), cuda_(backend.kind == BackendKind::cuda) {}

    bool keeps(const MethodInfo& method, FetchPath path, const PixelFormat& format) const {
        if (plan_.full || !plan_.methods.empty()) return true;
        const bool first_two = format == formats[0] || format == formats[1];
        const bool main = is_main(method), ends = path == FetchPath::automatic || path == FetchPath::hardware;
        if (plan_.quick) return main && first_two && ends;
        // On the CPU, `global` and `lookup` are the same code, and `hardware` is an emulation.
        if (!cuda_) return path == FetchPath::automatic ? main || first_two : main && first_two && ends;
        return first_two || (main && ends);
    }
    bool keeps_simple(const MethodInfo& method, const PixelFormat& format) const {
        return is_main(method) && (format == formats[0] || format == formats[1]) && !plan_.quick;
    }

private:
    const BenchPlan& plan_;
    bool cuda_;
};

// The specs of a run, each on every path unless the user has named them.
std::vector<MethodSpec> specs_of(const BenchPlan& plan) {
    std::vector<MethodSpec> specs = plan.methods;
    if (!specs.empty()) {
        for (const MethodSpec& spec : plan.methods) {
            MethodSpec bilinear = default_spec(parse_method("bilinear"));
            bilinear.path = spec.path;
            bilinear.address = spec.address;
            if (std::find(specs.begin(), specs.end(), bilinear) == specs.end()) specs.push_back(bilinear);
        }
        return specs;
    }
    for (const MethodInfo* method : all_methods())
        for (const FetchPath path : all_fetch_paths) {
            MethodSpec spec = default_spec(*method);
            spec.path = path;
            if (spec.effective_path() == path) specs.push_back(spec);  // polar and wide methods have two
        }
    return specs;
}

BenchCase case_of(const BenchView& view, const PixelFormat& format, const MethodSpec& spec, const Sizes& sizes,
                  const BackendInfo& backend) {
    BenchCase one;
    one.view = view.id;
    one.format = format;
    one.spec = spec;
    one.backend = backend.kind;
    one.request.view = view.view;
    one.request.antialias = view.antialias;
    one.source_width = one.source_height = sizes.source;
    // Zoomed out, no more of the output than the image fills.
    const int most = std::max(1, int(sizes.source / std::max(1.0, view.view.scale)));
    one.width = view.antialias ? std::min(sizes.width, most) : sizes.width;
    one.height = view.antialias ? std::min(sizes.height, most) : sizes.height;
    return one;
}

// As large as the device's textures, if its memory holds the image and its texture, or its coefficients and what
// filtering them needs.
void make_large(BenchCase& one, const BackendInfo& backend) {
    const bool cuda = backend.kind == BackendKind::cuda;
    const double samples = double(one.format.texel_bytes());
    const double texel = one.spec.method->has_prefilter() ? samples + 8 * one.format.channels : 2 * samples;
    const double room = cuda ? 0.6 * double(backend.limits.memory_bytes) : 1 << 30;
    one.view = "pan-large";
    one.source_width = cuda ? backend.limits.texture_width : 16384;
    one.source_height =
        int(std::min(room / (texel * one.source_width), cuda ? double(backend.limits.texture_height) : 16384.0));
    one.request.view.translate_x = 0.4 * one.source_width;  // where coordinates are large
    one.request.view.translate_y = 0.4 * one.source_height;
}

// Panning an image of 16 million pixels, and one as large as the device allows.
void add_pans(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases) {
    if (plan.quick) return;
    Sizes sizes = sizes_of(plan, backend);
    sizes.source = plan.source.value_or(4096);
    const auto add = [&](std::initializer_list<const char*> specs, const PixelFormat& format, bool large) {
        for (const char* spec : specs) {
            BenchCase one = case_of({"pan", {}}, format, parse_spec(spec), sizes, backend);
            one.moves = true;
            if (large) make_large(one, backend);
            cases.push_back(one);
        }
    };
    for (const bool large : {false, true}) {
        if (large && plan.source) return;  // of a given size there is only one
        add({"bilinear", "bilinear:path=hardware", "catmull-rom"}, {SampleType::u8, 4}, large);
        add({"bilinear", "bspline"}, {SampleType::u8, 1}, large);
    }
}

}  // namespace

void add_render_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases) {
    const Sizes sizes = sizes_of(plan, backend);
    const Thinning thinning(plan, backend);
    const std::vector<MethodSpec> specs = specs_of(plan);
    for (const PixelFormat& format : formats)
        for (const BenchView& view : views)
            for (const MethodSpec& spec : specs) {
                // If antialiased, weights come from a table read from linear memory, whatever the path.
                if (view.antialias && spec.path != FetchPath::automatic) continue;
                BenchCase one = case_of(view, format, spec, sizes, backend);
                if (thinning.keeps(*spec.method, spec.path, format)) cases.push_back(one);
                if (spec.path != FetchPath::automatic || view.antialias) continue;
                if (!thinning.keeps_simple(*spec.method, format)) continue;
                one.simple = true;
                cases.push_back(one);
            }
    if (plan.methods.empty()) add_pans(plan, backend, cases);
}

namespace {

// Prefilters, the resize article's table, and the paper's.
BenchCase prefilter_case(BenchSection section, const std::string& spec, int side, const PixelFormat& format,
                         const BackendInfo& backend) {
    BenchCase one;
    one.section = section;
    one.work = BenchCase::Work::prefilter;
    one.spec = parse_spec(spec);
    one.format = format;
    one.backend = backend.kind;
    one.source_width = one.source_height = one.width = one.height = side;
    one.view = section == BenchSection::paper ? paper_view(paper_prefilter_view, side) : std::to_string(side);
    return one;
}

std::vector<int> prefilter_sides(const BenchPlan& plan, const BackendInfo& backend) {
    if (plan.source) return {*plan.source};
    if (backend.kind == BackendKind::cuda) return plan.quick ? std::vector{2048} : std::vector{2048, 8192, 16384};
    if (plan.quick) return {512};
    return plan.full ? std::vector{2048, 8192} : std::vector{2048};
}

}  // namespace

void add_prefilter_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases) {
    std::vector<std::string> specs = {"bspline:prefilter=iir",
                                      "bspline:address=mirror,prefilter=iir",
                                      "bspline:prefilter=iir,coefficients=half",
                                      "bspline:prefilter=fir15",
                                      "bspline:prefilter=fir7",
                                      "quintic:prefilter=iir"};
    if (!plan.methods.empty()) {
        specs.clear();
        for (const MethodSpec& spec : plan.methods)
            if (spec.filters()) specs.push_back(short_text(spec));
    }
    for (const int side : prefilter_sides(plan, backend))
        for (const PixelFormat format : {PixelFormat{SampleType::f32, 1}, PixelFormat{SampleType::u8, 4}})
            for (const std::string& spec : specs)
                cases.push_back(prefilter_case(BenchSection::prefilter, spec, side, format, backend));
}

void add_resize_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases) {
    std::vector<BackendKind> kinds = {BackendKind::cpu};
    if (backend.kind == BackendKind::cuda) kinds.push_back(BackendKind::cuda);
    std::vector<MethodSpec> specs = plan.methods;
    if (specs.empty())
        for (const char* spec : {"nearest", "bilinear", "bilinear:path=hardware"}) specs.push_back(parse_spec(spec));
    for (const BackendKind kind : kinds)
        for (const MethodSpec& spec : specs)
            for (const auto work : {BenchCase::Work::render, BenchCase::Work::whole_call}) {
                BenchCase one;
                one.section = BenchSection::resize;
                one.work = work;
                one.view = "x5";
                one.format = {SampleType::u8, 1};
                one.spec = spec;
                one.backend = kind;
                one.source_width = article_width;
                one.source_height = article_height;
                one.width = article_width * article_factor;
                one.height = article_height * article_factor;
                one.request.positions =
                    aligned_affine(Align::origin, article_width, article_height, one.width, one.height);
                cases.push_back(one);
            }
}

void add_paper_cases(const BenchPlan& plan, const BackendInfo& backend, std::vector<BenchCase>& cases) {
    const int side = plan.source.value_or(paper_side);
    const PixelFormat format{SampleType::f32, 1};
    for (const int size : paper_prefilter_sides(side))
        for (const char* prefilter : paper_prefilters)
            cases.push_back(prefilter_case(BenchSection::paper, "bspline:prefilter=" + std::string(prefilter), size,
                                           format, backend));
    for (const PaperView& view : paper_views)
        for (const std::string_view spec : paper_specs) {
            BenchCase one;
            one.section = BenchSection::paper;
            one.view = view.id;
            one.format = format;
            one.spec = parse_spec(spec);
            one.backend = backend.kind;
            one.source_width = one.source_height = std::max(1, side / view.zoom);
            one.width = one.height = side;
            one.request.view = {.scale = 1.0 / view.zoom, .rotate = view.rotate};
            cases.push_back(one);
        }
}

}  // namespace texelscope
