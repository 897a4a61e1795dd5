// Pillow: Image.resize with its six filters, Image.reduce, Image.thumbnail.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {

ResizedAxis whole_of(const ResizedAxis& axis) {
    return {axis.samples, axis.pixels, 0, std::max(1, int(std::ceil(axis.pixels)))};
}

int bits_below(double limit, int most, const Rule& rule, const ResizedAxis& axis) {
    const LongTaps taps = taps_of(rule, whole_of(axis));
    const double largest = *std::max_element(taps.weights.begin(), taps.weights.end());
    int bits = 0;
    while (bits < most && std::floor(0.5 + largest * std::ldexp(1.0, bits + 1)) < limit) ++bits;
    return bits;
}

namespace {

struct Filter {
    std::string_view name, weight;
};

constexpr std::array filters{
    Filter{"box", "radius = 1\nw(x) = x > -0.5 && x <= 0.5 ? 1 : 0\n"},
    Filter{"bilinear", "radius = 1\nw(x) = abs(x) < 1 ? 1 - abs(x) : 0\n"},
    // With its constants of float32.
    Filter{"hamming", "radius = 1\nw(x) = sinc(x)*(0.5400000214576721 + 0.46000000834465027*cos(pi*x))\n"},
    Filter{"bicubic", "bicubic:a=-0.5"}, Filter{"lanczos", "radius = 3\nw(x) = sinc(x)*sinc(x/3)\n"}};

// In 8 bits: weights of 22 bits, and whole levels between the axes.
LongPass levels_pass() { return {.fixed = true, .shift = 22, .add = 1 << 21, .clipped = true, .low = 0, .high = 255}; }

void in_levels(ResizeRule& rule, bool alpha) {
    for (Rule* axis : {&rule.x, &rule.y}) {
        axis->bits = 22;
        axis->weight_rounding = Rounding::half_away;
    }
    rule.passes = {.unit = 255, .whole = true, .cut_colours = alpha, .first = levels_pass(), .second = levels_pass()};
}

// In 16 bits it adds up in float64. Float32 weights have 24 bits; sums of whole numbers lose no more.
void in_16_bits(ResizeRule& rule, const RecipeCall& call) {
    rule.passes = {.unit = 65535, .whole = true};
    const auto pass_along = [](Rule& axis, const ResizedAxis& of) {
        axis.bits = bits_below(std::ldexp(1.0, 24), 40, axis, of);
        axis.weight_rounding = Rounding::half_away;
        return LongPass{.fixed = true,
                        .shift = axis.bits,
                        .add = int64_t(1) << (axis.bits - 1),
                        .clipped = true,
                        .low = 0,
                        .high = 65535};
    };
    rule.passes.first = pass_along(rule.x, call.x);
    rule.passes.second = pass_along(rule.y, call.y);
}

// Alpha has nothing to do with it.
ResizeRule one_sample(const Rule& axis) { return {.x = axis, .y = axis, .premultiplied = false}; }

// The means of so many samples along each axis, and of fewer at the end.
ResizeRule reduced(const RecipeCall& call, int x_factor, int y_factor) {
    if (x_factor == 1 && y_factor == 1) return one_sample({.tap_rule = TapRule::nearest});
    const Rule axis{.tap_rule = TapRule::bins, .unit_area = call.type != RecipeType::u8};
    ResizeRule rule{.x = axis, .y = axis};
    rule.x.factor = 1.0 / x_factor;
    rule.y.factor = 1.0 / y_factor;
    if (call.type == RecipeType::u8)
        rule.passes = {.unit = 255,
                       .whole = true,
                       .cut_colours = call.alpha,
                       .cell_width = x_factor,
                       .cell_height = y_factor,
                       .cell_x = int(call.x.first),
                       .cell_y = int(call.y.first)};
    return rule;
}

int reduced_size(int samples, int factor) { return (samples + factor - 1) / factor; }

// A factor by which reduce() makes so many pixels; 0: there is none.
int factor_between(const ResizedAxis& axis) {
    const int pixels = std::max(1, int(std::lround(axis.pixels)));
    const int nearest = std::max(1, int(std::lround(double(axis.samples) / pixels)));
    for (const int factor : {nearest, nearest - 1, nearest + 1, reduced_size(axis.samples, pixels)})
        if (factor > 0 && reduced_size(axis.samples, factor) == pixels) return factor;
    return 0;
}

std::string cannot_reduce(const RecipeCall& call) {
    const int factor = int(call.options.number("factor"));
    for (const ResizedAxis& axis : {call.x, call.y}) {
        if (!axis.whole()) continue;
        const int found = factor == 0 ? factor_between(axis) : factor;
        if (found == 0)
            return fmt::format(
                "like:pillow/reduce cannot make {:.0f} pixels of {}: sizes are divided by a whole "
                "number and rounded up",
                axis.pixels, axis.samples);
        if (reduced_size(axis.samples, found) != axis.pixels)
            return fmt::format("factor={} of like:pillow/reduce makes {} pixels of {}, not {:.0f}", found,
                               reduced_size(axis.samples, found), axis.samples, axis.pixels);
    }
    return "";
}

ResizeRule reduced_to_size(const RecipeCall& call) {
    const int factor = int(call.options.number("factor"));
    const auto chosen = [&](const ResizedAxis& axis) {
        const int found = factor == 0 ? factor_between(axis) : factor;
        return found > 0 ? found : std::max(1, int(std::lround(axis.step())));  // views show parts of a pixel
    };
    return reduced(call, chosen(call.x), chosen(call.y));
}

ResizeRule thumbnail(const RecipeCall& call) {
    return pillow_resize(call.options.text("resample"), call, call.options.number("reducing_gap"));
}

namespace option {
const RecipeOption factor{"factor", "0",  {},
                          0,        4096, "A whole number for both axes; 0: one for each that makes the size."};
const RecipeOption gap{
    "reducing_gap",
    "0",
    {},
    0,
    100,
    "The factor that reduce(), which goes first, leaves to the filter; 0: None. Without effect with alpha."};
const RecipeOption thumbnail_gap{
    "reducing_gap",
    "2",
    {},
    0,
    100,
    "The factor that reduce(), which goes first, leaves to the filter; 0: None. Without effect with alpha."};
const RecipeOption resample{"resample", "bicubic", {"nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"},
                            0,          0,         "The filter."};
}  // namespace option

constexpr std::string_view tried = "Pillow 9.4, 12.3",
                           bound = "8 bits exact; 16 bits one level in 0.4 % (two are rare); floats 1e-6",
                           unknown =
                               "from 12.3 on, pictures more than 100 times as high as wide are resized along y first";

Recipe by_filter(std::string_view name, std::string_view call, ResizeRule (*rule)(const RecipeCall&)) {
    return {"pillow", name, call, tried, bound, unknown, {option::gap}, rule};
}

}  // namespace

ResizeRule pillow_resize(std::string_view resample, const RecipeCall& call, double reducing_gap) {
    if (resample == "nearest") {
        Rule axis{.tap_rule = TapRule::nearest};
        // 16 bits have a code path of their own.
        if (call.type != RecipeType::u16) axis.stepping = Stepping::summed;
        ResizeRule rule = one_sample(axis);
        if (call.type == RecipeType::u16) {
            rule.x.span = call.x.samples;
            rule.y.span = call.y.samples;
        }
        return rule;
    }
    if (reducing_gap > 0 && reducing_gap < 1)
        throw UsageError(
            fmt::format("reducing_gap of like:pillow/{} must be 0 or at least 1, not {}", resample, reducing_gap));
    const auto filter =
        std::find_if(filters.begin(), filters.end(), [&](const Filter& each) { return each.name == resample; });
    if (filter == filters.end()) throw UsageError(fmt::format("Pillow has no filter '{}'", resample));
    const Rule axis{.weight = std::string(filter->weight),
                    .radius = resample == "box" ? 0.5 : 0,
                    .widened = true,
                    .window = TapWindow::rounded};
    ResizeRule rule{.x = axis, .y = axis};
    if (call.x.samples == call.x.pixels && call.y.samples == call.y.pixels)  // a copy
        return one_sample({.tap_rule = TapRule::nearest});
    RecipeCall last = call;
    const auto factor = [&](const ResizedAxis& of) { return std::max(1, int(of.samples / of.pixels / reducing_gap)); };
    if (reducing_gap > 0 && !call.alpha) {
        const int x = factor(call.x), y = factor(call.y);
        if (x > 1 || y > 1) {
            RecipeCall whole = call;
            whole.x.first = whole.y.first = 0;
            last.x.samples = reduced_size(call.x.samples, x);
            last.y.samples = reduced_size(call.y.samples, y);
            rule.x.span = double(float(double(call.x.samples) / x));
            rule.y.span = double(float(double(call.y.samples) / y));
            rule.before = {{.width = last.x.samples, .height = last.y.samples, .rules = {reduced(whole, x, y)}}};
        }
    }
    if (call.type == RecipeType::u8) in_levels(rule, call.alpha);
    if (call.type == RecipeType::u16) in_16_bits(rule, last);
    return rule;
}

std::vector<Recipe> pillow_recipes() {
    return {
        {"pillow",
         "nearest",
         "image.resize(size, Image.Resampling.NEAREST)",
         tried,
         "exact",
         "",
         {},
         [](const RecipeCall& call) { return pillow_resize("nearest", call); }},
        by_filter(
            "box", "image.resize(size, Image.Resampling.BOX)",
            [](const RecipeCall& call) { return pillow_resize("box", call, call.options.number("reducing_gap")); }),
        by_filter("bilinear", "image.resize(size, Image.Resampling.BILINEAR)",
                  [](const RecipeCall& call) {
                      return pillow_resize("bilinear", call, call.options.number("reducing_gap"));
                  }),
        by_filter(
            "hamming", "image.resize(size, Image.Resampling.HAMMING)",
            [](const RecipeCall& call) { return pillow_resize("hamming", call, call.options.number("reducing_gap")); }),
        by_filter(
            "bicubic", "image.resize(size, Image.Resampling.BICUBIC)",
            [](const RecipeCall& call) { return pillow_resize("bicubic", call, call.options.number("reducing_gap")); }),
        by_filter(
            "lanczos", "image.resize(size, Image.Resampling.LANCZOS)",
            [](const RecipeCall& call) { return pillow_resize("lanczos", call, call.options.number("reducing_gap")); }),
        {"pillow",
         "reduce",
         "image.reduce(factor)",
         tried,
         "8 bits exact; floats 1e-6",
         "16 bits, which it refuses",
         {option::factor},
         reduced_to_size,
         cannot_reduce},
        {"pillow",
         "thumbnail",
         "image.thumbnail(size)",
         tried,
         bound,
         "JPEG files, which are decoded smaller; their 16 bits, which it refuses to reduce",
         {option::resample, option::thumbnail_gap},
         thumbnail},
    };
}

}  // namespace texelscope
