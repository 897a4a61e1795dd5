// libvips: vips_resize and vipsthumbnail, and sharp, which is libvips for Node. A picture shrinks along y, then along x,
// each by means of whole blocks first and then by a widened weight function; where it grows, an affine transform does
// both axes.

#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu/recipes/libvips_tables.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

using namespace libvips;

template <template <Kernel> class Table> auto table_for(Kernel kernel) {
    switch (kernel) {
        case Kernel::nearest: return Table<Kernel::nearest>::make;
        case Kernel::linear: return Table<Kernel::linear>::make;
        case Kernel::cubic: return Table<Kernel::cubic>::make;
        case Kernel::mitchell: return Table<Kernel::mitchell>::make;
        case Kernel::lanczos2: return Table<Kernel::lanczos2>::make;
        case Kernel::lanczos3: return Table<Kernel::lanczos3>::make;
        case Kernel::mks2013: return Table<Kernel::mks2013>::make;
        case Kernel::mks2021: return Table<Kernel::mks2021>::make;
    }
    return Table<Kernel::nearest>::make;
}
template <Kernel kernel> struct ReduceTable { static constexpr auto make = reduce_table<kernel>; };

struct Library {
    Kernel kernel;
    Version version;
    double gap = 2;
    RecipeType type = RecipeType::f32;

    bool whole() const { return type != RecipeType::f32; }
    float unit() const { return type == RecipeType::u8 ? 255 : type == RecipeType::u16 ? 65535 : 1; }
    LongPass fixed(int bits) const {
        if (!whole()) return {};
        return {
            .fixed = true, .shift = bits, .add = int64_t(1) << (bits - 1), .clipped = true, .low = 0, .high = unit()};
    }
};

// What is done to a picture, one axis after the other. A stage resizes along y, then along x.
struct Chain {
    std::vector<ResizeStage> stages = {};
    bool x_done = true;  // of the last stage
    int width, height;
    float unit;

    static Rule unchanged() { return {.tap_rule = TapRule::nearest, .edges = AddressMode::clamp}; }

    ResizeRule& begun() {
        ResizeRule rule{
            .x = unchanged(), .y = unchanged(), .passes = {.y_first = true, .unit = unit, .whole = unit > 1}};
        stages.push_back({.width = width, .height = height, .rules = {rule}, .share = 0});
        return stages.back().rules[0];
    }
    void along_y(const Rule& rule, const LongPass& pass, int pixels) {
        height = pixels;
        ResizeRule& stage = begun();
        stage.y = rule;
        stage.passes.first = pass;
        x_done = false;
    }
    void along_x(const Rule& rule, const LongPass& pass, int pixels) {
        width = pixels;
        ResizeRule& stage = x_done ? begun() : stages.back().rules[0];
        stage.x = rule;
        stage.passes.second = pass;
        stages.back().width = pixels;
        x_done = true;
    }
    void both(const Rule& x, const Rule& y, const LongPass& first, const LongPass& second, int columns, int rows) {
        width = columns;
        height = rows;
        ResizeRule& stage = begun();
        stage.x = x;
        stage.y = y;
        stage.passes.y_first = false;
        stage.passes.first = first;
        stage.passes.second = second;
        x_done = true;
    }
    void along(bool y, const Rule& rule, const LongPass& pass, int pixels) {
        if (y) along_y(rule, pass, pixels);
        else along_x(rule, pass, pixels);
    }
    ResizeRule ended(bool premultiplied) {
        if (stages.empty()) begun();
        ResizeRule rule = stages.back().rules[0];
        stages.pop_back();
        rule.before = std::move(stages);
        rule.premultiplied = premultiplied;
        for (ResizeStage& stage : rule.before.all()) stage.rules[0].premultiplied = premultiplied;
        return rule;
    }
};

int rounded_size(double size) { return std::max(1, int(size + 0.5)); }

// Means of blocks of whole samples, of which the last is continued by the edge.
void shrink(Chain& chain, const Library& library, bool y, int block) {
    Rule rule{.tap_rule = TapRule::box,
              .factor = 1.0 / block,
              .edges = AddressMode::clamp,
              .table = {block_table, {double(block)}}};
    LongPass pass;
    double& weight = rule.table.parameters[1];
    weight = 1.0 / block;
    if (library.whole()) {
        // The sum by a multiplication: in 8.18 with 24 bits, rounded down; before, so precise that it is a division.
        const bool short_inverse = library.version == Version::v8_18 && library.type == RecipeType::u8;
        const int shift = short_inverse ? 24 : 22 + std::bit_width(unsigned(block));
        weight = short_inverse ? std::floor(std::ldexp(1.0, shift) / block) : std::ceil(std::ldexp(1.0, shift) / block);
        pass = {.fixed = true, .shift = shift, .add = int64_t(weight) * (block / 2)};
        rule.bits = shift;
        rule.one = weight * block;
    }
    const int samples = y ? chain.height : chain.width;
    chain.along(y, rule, pass, (samples + block - 1) / block);
}

void reduce(Chain& chain, const Library& library, bool y, double step) {
    const int samples = y ? chain.height : chain.width, pixels = rounded_size(samples / step);
    double extra = pixels * step - samples;
    if (library.gap > 0 && library.kernel != Kernel::nearest) {
        const int block = std::max(1, int(std::floor(double(samples) / pixels / library.gap)));
        if (block > 1) {
            shrink(chain, library, y, block);
            step /= block;
            extra /= block;
        }
    }
    if (step == 1) return;
    const bool sixths = library.version == Version::v8_14 && library.type == RecipeType::u8 && y;
    const int bits = !library.whole() || library.kernel == Kernel::nearest ? 0 : sixths ? 6 : weight_bits;
    const Rule rule{.tap_rule = library.kernel == Kernel::nearest ? TapRule::nearest : TapRule::weights,
                    .weight = words_of(library.kernel),
                    .widened = true,
                    .factor = 1 / step,
                    .position_shift = -extra / 2,
                    .position_steps = library.kernel == Kernel::nearest ? 0 : phases,
                    .position_rounding = Rounding::half_up,
                    .edges = AddressMode::clamp,
                    .bits = bits,
                    .weight_rounding = sixths ? Rounding::half_even : Rounding::down,
                    .table = {table_for<ReduceTable>(library.kernel), {step, extra, y ? 16.0 : 0.0}}};
    chain.along(y, rule, bits > 0 ? library.fixed(bits) : LongPass{}, pixels);
}

void enlarge(Chain& chain, const Library& library, double scale_x, double scale_y) {
    const int width = rounded_size(chain.width * std::max(scale_x, 1.0)),
              height = rounded_size(chain.height * std::max(scale_y, 1.0));
    if (library.kernel == Kernel::nearest && scale_x == std::floor(scale_x) && scale_y == std::floor(scale_y)) {
        Rule x = Chain::unchanged(), y = x;
        x.table = {zoom_table, {scale_x}};
        y.table = {zoom_table, {scale_y}};
        chain.both(x, y, {}, {}, width, height);
        return;
    }
    scale_x = std::max(scale_x, 1.0);
    scale_y = std::max(scale_y, 1.0);
    const double inverse = 1 / (scale_x * scale_y);
    const bool linear = library.kernel == Kernel::linear, nearest = library.kernel == Kernel::nearest;
    // Cubics of 16 bits are computed in floats, and so are here the sums of linear ones.
    const bool fixed = library.type == RecipeType::u8 && !nearest;
    const int bits = fixed || (linear && library.whole()) ? weight_bits : 0;
    const auto axis = [&](double scale, double step, bool added) {
        return Rule{.tap_rule = nearest ? TapRule::nearest : TapRule::weights,
                    .weight = linear ? "bilinear" : "catmull-rom",
                    .window = TapWindow::taps,
                    .nearest = NearestRule::floor,
                    .alignment = Alignment::asymmetric,
                    .factor = scale,
                    .position_shift = nearest ? 0 : -0.5,
                    .position_steps = linear || nearest ? 0 : phases,
                    .position_rounding = Rounding::half_up,
                    .edges = AddressMode::clamp,
                    .bits = bits,
                    .weight_rounding = Rounding::down,
                    .table = {nearest  ? affine_table<Kernel::nearest>
                              : linear ? affine_table<Kernel::linear>
                                       : affine_table<Kernel::cubic>,
                              {step, nearest ? 0 : 0.5, double(added)}}};
    };
    LongPass first, second;
    if (fixed && linear) {
        first = {.fixed = true};
        second = {.fixed = true, .shift = 2 * weight_bits, .add = int64_t(1) << (2 * weight_bits - 1)};
    } else if (fixed) {
        first = second = library.fixed(weight_bits);
        first.clipped = false;
    } else if (library.whole() && !nearest) {
        second = {.scale = std::ldexp(1.0f, -2 * bits),
                  .round = linear ? Rounding::half_up : Rounding::down,
                  .clipped = true,
                  .low = 0,
                  .high = library.unit()};
    }
    chain.both(axis(scale_x, inverse * scale_y, true), axis(scale_y, inverse * scale_x, false), first, second, width,
               height);
}

// Views have no whole size for the pictures on the way.
ResizeRule of_view(const RecipeCall& call, const Library& library, bool premultiplied) {
    const auto axis = [&](const ResizedAxis& size) {
        const bool shrinks = size.step() > 1;
        Rule rule{.weight = shrinks || library.kernel == Kernel::linear ? words_of(library.kernel) : "catmull-rom",
                  .widened = shrinks,
                  .alignment = shrinks ? Alignment::centers : Alignment::asymmetric,
                  .position_shift = shrinks ? 0 : -0.5,
                  .position_steps = phases,
                  .position_rounding = Rounding::half_up,
                  .edges = AddressMode::clamp};
        if (library.kernel == Kernel::nearest)
            rule = {.tap_rule = TapRule::nearest,
                    .nearest = shrinks ? NearestRule::half_up : NearestRule::floor,
                    .alignment = rule.alignment,
                    .edges = AddressMode::clamp};
        return rule;
    };
    ResizeRule rule{.x = axis(call.x), .y = axis(call.y), .passes = {.y_first = true}, .premultiplied = premultiplied};
    if (library.whole()) {
        rule.passes.unit = library.unit();
        rule.passes.whole = true;
        rule.passes.first =
            rule.passes.second = {.round = Rounding::half_up, .clipped = true, .low = 0, .high = library.unit()};
    }
    return rule;
}

ResizeRule resized(const RecipeCall& call, const Library& library, double scale_x, double scale_y, bool premultiplied) {
    if (!call.x.whole() || !call.y.whole()) return of_view(call, library, premultiplied);
    Chain chain{.width = call.x.samples, .height = call.y.samples, .unit = library.unit()};
    if (library.kernel == Kernel::nearest) {
        const auto every = [&](int samples, double scale) {
            const int block = library.gap < 1
                                  ? int(std::floor(1 / scale))
                                  : int(std::floor(double(samples) / rounded_size(samples * scale) / library.gap));
            return std::max(1, block);
        };
        const auto subsample = [&](bool y, int block, double& scale) {
            if (block == 1) return;
            Rule rule = Chain::unchanged();
            rule.table = {subsample_table, {double(block)}};
            chain.along(y, rule, {}, (y ? chain.height : chain.width) / block);
            scale *= block;
        };
        const int columns = every(chain.width, scale_x), rows = every(chain.height, scale_y);
        subsample(true, rows, scale_y);
        subsample(false, columns, scale_x);
    }
    scale_x = std::max(scale_x, 1.0 / chain.width);
    scale_y = std::max(scale_y, 1.0 / chain.height);
    if (scale_y < 1) reduce(chain, library, true, 1 / scale_y);
    if (scale_x < 1) reduce(chain, library, false, 1 / scale_x);
    if (scale_x > 1 || scale_y > 1) enlarge(chain, library, scale_x, scale_y);
    return chain.ended(premultiplied);
}

// The scale that follows from sizes: by the shrinks that thumbnailers compute.
double scale_of(const ResizedAxis& axis) { return 1 / (axis.samples / axis.pixels); }

RecipeOption by_version() {
    return {"version", "8.14", {"8.14", "8.18"}, 0, 0, "8.14 is Debian 12's, with Orc; 8.18 is with Highway."};
}

template <Kernel kernel> ResizeRule resize(const RecipeCall& call) {
    const double scale = call.options.number("scale"), vscale = call.options.number("vscale");
    const Library library{.kernel = kernel,
                          .version = call.options.is("version", "8.18") ? Version::v8_18 : Version::v8_14,
                          .gap = call.options.number("gap"),
                          .type = call.type};
    return resized(call, library, scale > 0 ? scale : scale_of(call.x),
                   vscale > 0  ? vscale
                   : scale > 0 ? scale
                               : scale_of(call.y),
                   false);
}

// With alpha it computes in floats.
ResizeRule thumbnail(const RecipeCall& call) {
    const Library library{.kernel = Kernel::lanczos3,
                          .version = call.options.is("version", "8.18") ? Version::v8_18 : Version::v8_14,
                          .type = call.alpha ? RecipeType::f32 : call.type};
    return resized(call, library, scale_of(call.x), scale_of(call.y), true);
}

template <Kernel kernel> ResizeRule sharp(const RecipeCall& call) {
    const Library library{.kernel = kernel, .version = Version::v8_18, .type = call.type};
    return resized(call, library, scale_of(call.x), scale_of(call.y), true);
}

}  // namespace

std::vector<Recipe> libvips_recipes() {
    const std::vector<RecipeOption> options{
        {"scale", "0", {}, 0, 1000, "Factor instead of the one that follows from the sizes; 0: that."},
        {"vscale", "0", {}, 0, 1000, "The same along y; 0: as along x."},
        {"gap", "2", {}, 0, 1000, "How much is left to the weight function after means of blocks; 0: all."},
        by_version()};
    constexpr std::string_view
        versions = "libvips 8.14.1",
        sharp_versions = "sharp 0.35.5 with libvips 8.18.7",
        nearest_exact = "bit-exact, but for ties where one axis grows and the other shrinks",
        cubic_exact = "bit-exact in 8 bits; 16 bits: one level where it enlarges; floats 2e-6",
        linear_exact = "bit-exact where it shrinks; else 8 bits: one level in 2 %, 16 bits: 32 levels; floats 2e-6",
        linear_unknown = "where it enlarges, its four weights are rounded together",
        sharp_unknown = "sharp cuts products of colour and alpha off to 8 or 16 bits; it takes no floats";
    std::vector<Recipe> recipes{
        {"libvips", "nearest", "vips resize in out scale --vscale vscale --kernel nearest", versions, nearest_exact, "",
         options, resize<Kernel::nearest>},
        {"libvips", "linear", "vips resize in out scale --vscale vscale --kernel linear", versions, linear_exact,
         linear_unknown, options, resize<Kernel::linear>},
        {"libvips", "cubic", "vips resize in out scale --vscale vscale --kernel cubic", versions, cubic_exact, "",
         options, resize<Kernel::cubic>},
        {"libvips", "mitchell", "vips resize in out scale --vscale vscale --kernel mitchell", versions, cubic_exact, "",
         options, resize<Kernel::mitchell>},
        {"libvips", "lanczos2", "vips resize in out scale --vscale vscale --kernel lanczos2", versions, cubic_exact, "",
         options, resize<Kernel::lanczos2>},
        {"libvips", "lanczos3", "vips resize in out scale --vscale vscale", versions, cubic_exact, "", options,
         resize<Kernel::lanczos3>},
        {"libvips", "thumbnail", "vipsthumbnail in --size WxH!", versions, cubic_exact, "", {by_version()}, thumbnail},
        {"sharp",
         "nearest",
         "sharp(in).resize(w, h, {fit: 'fill', kernel: 'nearest'})",
         sharp_versions,
         nearest_exact,
         sharp_unknown,
         {},
         sharp<Kernel::nearest>},
        {"sharp",
         "linear",
         "sharp(in).resize(w, h, {fit: 'fill', kernel: 'linear'})",
         sharp_versions,
         linear_exact,
         sharp_unknown,
         {},
         sharp<Kernel::linear>},
        {"sharp",
         "cubic",
         "sharp(in).resize(w, h, {fit: 'fill', kernel: 'cubic'})",
         sharp_versions,
         cubic_exact,
         sharp_unknown,
         {},
         sharp<Kernel::cubic>},
        {"sharp",
         "mitchell",
         "sharp(in).resize(w, h, {fit: 'fill', kernel: 'mitchell'})",
         sharp_versions,
         cubic_exact,
         sharp_unknown,
         {},
         sharp<Kernel::mitchell>},
        {"sharp",
         "lanczos2",
         "sharp(in).resize(w, h, {fit: 'fill', kernel: 'lanczos2'})",
         sharp_versions,
         cubic_exact,
         sharp_unknown,
         {},
         sharp<Kernel::lanczos2>},
        {"sharp",
         "lanczos3",
         "sharp(in).resize(w, h, {fit: 'fill'})",
         sharp_versions,
         cubic_exact,
         sharp_unknown,
         {},
         sharp<Kernel::lanczos3>},
        {"sharp",
         "mks2013",
         "sharp(in).resize(w, h, {fit: 'fill', kernel: 'mks2013'})",
         sharp_versions,
         cubic_exact,
         sharp_unknown,
         {},
         sharp<Kernel::mks2013>},
        {"sharp",
         "mks2021",
         "sharp(in).resize(w, h, {fit: 'fill', kernel: 'mks2021'})",
         sharp_versions,
         cubic_exact,
         sharp_unknown,
         {},
         sharp<Kernel::mks2021>},
    };
    return recipes;
}

}  // namespace texelscope
