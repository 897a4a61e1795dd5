// libvips: vips_resize and vipsthumbnail, and sharp, which is libvips for Node. A picture shrinks along y, then along x,
// each by means of whole blocks first and then by a widened weight function; where it grows, an affine transform does
// both axes.

#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu/recipes/recipe.h"
#include "gpu/recipes/tap_table.h"

namespace texelscope {
namespace {

constexpr int phases = 64, weight_bits = 12;

enum class Kernel { nearest, linear, cubic, mitchell, lanczos2, lanczos3, mks2013, mks2021 };

// Debian 12's libvips 8.14, whose vector code weighs rows of 8 bits by integers of 1/64; and 8.18 with Highway.
enum class Version { v8_14, v8_18 };

double cubic_weight(double distance, double b, double c) {
    const double x = std::abs(distance), x2 = x * x, x3 = x2 * x;
    if (x <= 1) return ((12 - 9 * b - 6 * c) * x3 + (-18 + 12 * b + 6 * c) * x2 + (6 - 2 * b)) / 6;
    if (x <= 2) return ((-b - 6 * c) * x3 + (6 * b + 30 * c) * x2 + (-12 * b - 48 * c) * x + (8 * b + 24 * c)) / 6;
    return 0;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(M_PI * x) / (M_PI * x); }

double lanczos_weight(double x, int lobes) { return std::abs(x) > lobes ? 0 : sinc(x) * sinc(x / lobes); }

double mks2013_weight(double distance) {
    const double x = std::abs(distance);
    if (x >= 2.5) return 0;
    if (x >= 1.5) return (x - 2.5) * (x - 2.5) / -8;
    if (x >= 0.5) return (4 * x * x - 11 * x + 7) / 4;
    return 17.0 / 16 - 7 * x * x / 4;
}

double mks2021_weight(double distance) {
    const double x = std::abs(distance);
    if (x >= 4.5) return 0;
    if (x >= 3.5) return (4 * x * x - 36 * x + 81) / -1152;
    if (x >= 2.5) return (4 * x * x - 27 * x + 45) / 144;
    if (x >= 1.5) return (24 * x * x - 113 * x + 130) / -144;
    if (x >= 0.5) return (140 * x * x - 379 * x + 239) / 144;
    return 577.0 / 576 - 239 * x * x / 144;
}

double weight_of(Kernel kernel, double x) {
    switch (kernel) {
        case Kernel::nearest: return 1;
        case Kernel::linear: return std::max(0.0, 1 - std::abs(x));
        case Kernel::cubic: return cubic_weight(x, 0, 0.5);
        case Kernel::mitchell: return cubic_weight(x, 1.0 / 3, 1.0 / 3);
        case Kernel::lanczos2: return lanczos_weight(x, 2);
        case Kernel::lanczos3: return lanczos_weight(x, 3);
        case Kernel::mks2013: return mks2013_weight(x);
        case Kernel::mks2021: return mks2021_weight(x);
    }
    return 0;
}

int radius_of(Kernel kernel) {
    switch (kernel) {
        case Kernel::nearest: return 0;
        case Kernel::linear: return 1;
        case Kernel::cubic:
        case Kernel::mitchell:
        case Kernel::lanczos2: return 2;
        case Kernel::lanczos3:
        case Kernel::mks2013: return 3;
        case Kernel::mks2021: return 5;
    }
    return 0;
}

// The same as an ingredient.
std::string words_of(Kernel kernel) {
    switch (kernel) {
        case Kernel::nearest: return "nearest";
        case Kernel::linear: return "bilinear";
        case Kernel::cubic: return "catmull-rom";
        case Kernel::mitchell: return "mitchell";
        case Kernel::lanczos2: return "radius = 2\nw(x) = sinc(x)*sinc(x/2)\n";
        case Kernel::lanczos3: return "radius = 3\nw(x) = sinc(x)*sinc(x/3)\n";
        case Kernel::mks2013:
            return "radius = 2.5\nw(x) = abs(x) >= 1.5 ? (abs(x)-2.5)^2/-8 : abs(x) >= 0.5 ? (4*x^2-11*abs(x)+7)/4 : "
                   "17/16-7*x^2/4\n";
        case Kernel::mks2021:
            return "radius = 4.5\nw(x) = abs(x) >= 3.5 ? (4*x^2-36*abs(x)+81)/-1152 : "
                   "abs(x) >= 2.5 ? (4*x^2-27*abs(x)+45)/144 : abs(x) >= 1.5 ? (24*x^2-113*abs(x)+130)/-144 : "
                   "abs(x) >= 0.5 ? (140*x^2-379*abs(x)+239)/144 : 577/576-239*x^2/144\n";
    }
    return "";
}

// A position rounded to 1/64: the sample before, and how many 64ths follow, which may be all of them.
struct Phase {
    int sample, part;

    explicit Phase(double position)
        : sample(int(position)), part(((int(position * phases * 2) & (phases * 2 - 1)) + 1) >> 1) {}
};

// Integers of 1/64 that sum to 64: the weights times a number that bisection finds, and what is left shared out from
// the first on.
void share_out(std::span<double> weights) {
    const std::vector<double> exact(weights.begin(), weights.end());
    const int count = int(weights.size());
    double all = 0;
    for (const double w : exact) all += w;
    const int target = int(std::nearbyint(all * 64));
    double low = 64 - (count + 1) / 2, high = 64 + (count + 1) / 2;
    int sum = 0;
    do {
        const double scale = (low + high) / 2;
        sum = 0;
        for (int i = 0; i < count; ++i) sum += int(weights[size_t(i)] = std::nearbyint(exact[size_t(i)] * scale));
        if (sum == target) return;
        (sum < target ? low : high) = scale;
    } while (high - low > 0.01);
    for (double& w : weights) w += (target - sum) / count;
    const int extra = (target - sum) % count;
    for (int i = 0; i < std::abs(extra); ++i) weights[size_t(i)] += extra > 0 ? 1 : -1;
}

// Parameters: samples per pixel, how many samples more than there are these pixels cover, and after how many pixels
// steps are no longer added up but begin anew: it decides ties.
template <Kernel kernel> LongTaps reduce_table(const Rule& rule, const ResizedAxis& axis) {
    const double step = rule.table.parameters[0], extra = rule.table.parameters[1];
    const int reach = int(std::nearbyint(radius_of(kernel) * step)), taps = 2 * reach + 1;
    const int strip = int(rule.table.parameters[2]);
    double position = 0;
    std::vector<double> exact(static_cast<size_t>(taps));
    return tap_table(axis, taps, [&](int i, std::span<float> weights) {
        if (i == 0 || (strip > 0 && i % strip == 0)) position = (i + 0.5) * step - 0.5 - ((1 + extra) / 2 - 1);
        const Phase phase(position);
        position += step;
        if (kernel == Kernel::nearest) {
            weights[0] = 1;
            return phase.sample;
        }
        const double centre = double(phase.part) / phases + taps / 2.0 - 1;
        double sum = 0;
        for (int k = 0; k < taps; ++k) sum += exact[size_t(k)] = weight_of(kernel, (k - centre) / step);
        for (double& w : exact) w /= sum;
        if (rule.bits == 6) share_out(exact);
        else if (rule.bits > 0)
            for (double& w : exact) w = std::trunc(std::ldexp(w, rule.bits));
        std::copy(exact.begin(), exact.end(), weights.begin());
        return phase.sample - reach;
    });
}

// Parameters: samples per pixel, and the weight of each.
LongTaps block_table(const Rule& rule, const ResizedAxis& axis) {
    const int block = int(rule.table.parameters[0]);
    return tap_table(axis, block, [&](int i, std::span<float> weights) {
        std::fill(weights.begin(), weights.end(), float(rule.table.parameters[1]));
        return i * block;
    });
}

// Every parameters[0]-th sample; each sample that often.
LongTaps subsample_table(const Rule& rule, const ResizedAxis& axis) {
    return tap_table(axis, 1, [&](int i, std::span<float> weights) {
        weights[0] = 1;
        return i * int(rule.table.parameters[0]);
    });
}
LongTaps zoom_table(const Rule& rule, const ResizedAxis& axis) {
    return tap_table(axis, 1, [&](int i, std::span<float> weights) {
        weights[0] = 1;
        return i / int(rule.table.parameters[0]);
    });
}

// Enlarging. Parameters: samples per pixel, how many samples before its place a pixel reads, and whether positions are
// added up.
template <Kernel kernel> LongTaps affine_table(const Rule& rule, const ResizedAxis& axis) {
    constexpr int taps = kernel == Kernel::nearest ? 1 : kernel == Kernel::linear ? 2 : 4, before = taps == 4 ? 1 : 0;
    const double step = rule.table.parameters[0], origin = -(rule.table.parameters[1] - 1) + before;
    double added = origin;
    return tap_table(axis, taps, [&](int i, std::span<float> weights) {
        const double position = rule.table.parameters[2] != 0 ? added : step * i + origin;
        added += step;
        const int sample = int(std::floor(position));
        weights[0] = 1;
        if constexpr (taps == 2) {
            const double fraction =
                rule.bits > 0 ? std::trunc(std::ldexp(position - sample, rule.bits)) : position - sample;
            weights[0] = float(std::ldexp(1.0, rule.bits) - fraction);
            weights[1] = float(fraction);
        } else if constexpr (taps == 4) {
            const double x = double(Phase(position).part) / phases;
            for (int k = 0; k < 4; ++k) {
                const double w = std::ldexp(cubic_weight(k - 1 - x, 0, 0.5), rule.bits);
                weights[size_t(k)] = float(rule.bits > 0 ? std::trunc(w) : w);
            }
        }
        return sample - 2 * before - 1;
    });
}

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
        for (ResizeStage& stage : rule.before) stage.rules[0].premultiplied = premultiplied;
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
                  .round = linear ? LongPass::Round::half_up : LongPass::Round::down,
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
            rule.passes.second = {.round = LongPass::Round::half_up, .clipped = true, .low = 0, .high = library.unit()};
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
