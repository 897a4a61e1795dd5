// Prefilters, the resize article's table, and the paper's.

#include "app/studies/bench/cases.h"
#include "app/studies/bench/paper.h"
#include "app/studies/bench/resize_article.h"

namespace texelscope {
namespace {

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
            if (spec.effective_prefilter().kind != Prefilter::Kind::none) specs.push_back(short_text(spec));
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
