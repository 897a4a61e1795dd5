// Chromium without a GPU: canvas, images on a page, and bitmaps. Other browsers and GPUs differ.

#include <algorithm>
#include <cmath>

#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

// Pixels per sample, inverted, as Skia's matrices have it.
float inverse(double samples, double pixels) { return 1 / (float(pixels) / float(samples)); }

// The rule of an axis that reads a level of the picture with `level` samples.
Rule axis_of(const ResizedAxis& axis, int level) {
    Rule rule;
    rule.weight = "bilinear";
    rule.window = TapWindow::taps;
    rule.edges = AddressMode::clamp;
    rule.position_precision = Precision::float32;
    rule.stepping = Stepping::reciprocal;
    if (level != axis.samples)
        rule.factor = 1.0 / double(float(level) / float(axis.samples) * inverse(axis.samples, axis.pixels));
    return rule;
}

LongPasses levels(LongPass first, LongPass second) {
    return {.unit = 255, .whole = true, .first = first, .second = second};
}

const LongPass stored{.round = Rounding::half_even, .clipped = true, .low = 0, .high = 255};

// Nearest; at ties the sample before.
ResizeRule nearest(const RecipeCall& call, bool steps_are_added) {
    Rule rule{.tap_rule = TapRule::nearest, .edges = AddressMode::clamp};
    rule.position_precision = Precision::float32;
    rule.stepping = Stepping::reciprocal;
    ResizeRule both{rule, rule, {}, true, {}};
    if (steps_are_added) both.x.stepping = Stepping::added;
    for (Rule* axis : {&both.x, &both.y}) {
        if (steps_are_added) axis->position_shift = -1.0 / 65536;
        else axis->nearest = NearestRule::half_down;
    }
    if (call.type == RecipeType::u8) both.passes = levels({}, {});
    return both;
}

// Bilinear in 16ths of a sample, cut off.
ResizeRule in_sixteenths(const RecipeCall& call) {
    Rule rule = axis_of(call.x, call.x.samples);
    rule.position_steps = 16;
    rule.position_rounding = Rounding::floor;
    ResizeRule both{rule, rule, {}, true, {}};
    both.x.stepping = Stepping::added;
    if (call.type != RecipeType::u8) return both;
    both.x.bits = both.y.bits = 4;
    both.passes = levels({.fixed = true}, {.fixed = true, .shift = 8});
    return both;
}

// Bilinear in 16 bits.
ResizeRule in_16_bits(const RecipeCall& call, int width, int height) {
    ResizeRule rule{axis_of(call.x, width), axis_of(call.y, height), {}, true, {}};
    for (Rule* axis : {&rule.x, &rule.y}) {
        axis->position_steps = 65536;
        axis->position_rounding = Rounding::half_up;
    }
    if (call.type != RecipeType::u8) return rule;
    rule.x.bits = rule.y.bits = 16;
    rule.passes =
        levels({.fixed = true, .shift = 9, .add = 384}, {.fixed = true, .shift = 23, .add = 16384 + (1 << 22)});
    return rule;
}

// Bilinear in floats.
ResizeRule in_floats(const RecipeCall& call, int width, int height) {
    ResizeRule rule{axis_of(call.x, width), axis_of(call.y, height), {}, true, {}};
    if (call.type == RecipeType::u8) rule.passes = levels({}, stored);
    return rule;
}

ResizeRule mitchell(const RecipeCall& call) {
    ResizeRule rule = in_floats(call, call.x.samples, call.y.samples);
    rule.x.weight = rule.y.weight = "mitchell";
    return rule;
}

// How often the picture is halved before it is read, with a fraction; as sharp as textures of a GPU.
float level_of(const RecipeCall& call) {
    const float scale =
        std::sqrt(1 / inverse(call.x.samples, call.x.pixels) * (1 / inverse(call.y.samples, call.y.pixels)));
    return scale < 1 ? std::max(-std::log2(scale) - 0.5f, 0.0f) : 0;
}

int half(int samples) { return std::max(1, samples / 2); }

// Pictures on the way to level `count`, and its size.
struct Levels {
    std::vector<ResizeStage> stages;
    int width, height;
};

Levels halved(const RecipeCall& call, int count) {
    Levels levels{{}, call.x.samples, call.y.samples};
    Rule axis{.tap_rule = TapRule::pairs, .edges = AddressMode::clamp};
    ResizeRule rule{axis, axis, {}, true, {}};
    if (call.type == RecipeType::u8) {
        rule.x.bits = rule.y.bits = 2;
        rule.passes = texelscope::levels({.fixed = true}, {.fixed = true, .shift = 4});
    }
    for (int k = 0; k < count && (levels.width > 1 || levels.height > 1); ++k) {
        levels.width = half(levels.width);
        levels.height = half(levels.height);
        levels.stages.push_back({levels.width, levels.height, {rule}, 0});
    }
    return levels;
}

// Bilinear of the nearest level.
Levels scaled(const RecipeCall& call, int width, int height) {
    RecipeCall to = call;
    to.x.pixels = width;
    to.y.pixels = height;
    Levels levels = halved(call, int(level_of(to) + 0.5f));
    levels.stages.push_back({width, height, {in_16_bits(to, levels.width, levels.height)}, 0});
    levels.width = width;
    levels.height = height;
    return levels;
}

// Bilinear between two levels.
ResizeRule trilinear(const RecipeCall& call) {
    const float level = level_of(call);
    const int upper = int(level);
    const float share = level - float(upper);
    Levels levels = halved(call, upper);
    const Levels lower = halved(call, upper + 1);
    ResizeRule rule = in_floats(call, levels.width, levels.height);
    if (share > 0 && lower.stages.size() > levels.stages.size()) {
        ResizeRule other = in_floats(call, lower.width, lower.height);
        other.passes.second = rule.passes.second = {};
        other.before = {lower.stages.back()};
        levels.stages.push_back({int(call.x.pixels), int(call.y.pixels), {rule, other}, share});
        rule = {Rule{.tap_rule = TapRule::nearest}, Rule{.tap_rule = TapRule::nearest}, {}, true, {}};
        if (call.type == RecipeType::u8) rule.passes = {.unit = 255, .second = stored};
    }
    rule.before = levels.stages;
    return rule;
}

ResizeRule canvas(const RecipeCall& call, std::string_view quality) {
    if (quality == "off" || quality == "pixelated") return nearest(call, quality == "off");
    if (quality == "high" && call.x.step() < 1 && call.y.step() < 1) return mitchell(call);
    return trilinear(call);
}

// Halved, sizes rounded up, as often as the result still fits; then in 16ths.
ResizeRule decoded(const RecipeCall& call) {
    int halvings = 0;
    const auto size = [](int samples, int k) { return std::max(1, (samples + (1 << k) - 1) >> k); };
    const auto fits = [&](const ResizedAxis& axis) { return size(axis.samples, halvings + 1) >= axis.pixels; };
    while (halvings < 30 && (size(call.x.samples, halvings) > 1 || size(call.y.samples, halvings) > 1) &&
           fits(call.x) && fits(call.y))
        ++halvings;
    ResizeRule rule = in_sixteenths(call);
    if (halvings == 0) return rule;
    const int width = size(call.x.samples, halvings), height = size(call.y.samples, halvings);
    // The part of the smaller picture that is drawn has a size with the errors of float32.
    const auto factor = [](const ResizedAxis& axis, int level) {
        const float samples = float(axis.samples), drawn = samples * (float(level) / samples);
        return 1.0 / double(1 / (float(axis.pixels) / drawn));
    };
    rule.x.factor = factor(call.x, width);
    rule.y.factor = factor(call.y, height);
    rule.before = scaled(call, width, height).stages;
    return rule;
}

constexpr std::string_view tried = "Chromium 156 (Debian 12) without a GPU";

}  // namespace

std::vector<Recipe> browser_recipes() {
    const RecipeOption quality{
        "quality", "low", {"off", "low", "medium", "high"},
        0,         0,     "The context's imageSmoothingQuality; off: imageSmoothingEnabled = false."},
        source{"source", "canvas", {"canvas", "image"},
               0,        0,        "What is drawn: a canvas or bitmap, or an <img>, which has one quality only."},
        rendering{"image-rendering", "auto", {"auto", "pixelated"}, 0, 0, "Of CSS."},
        resize{"resizeQuality", "low", {"pixelated", "low", "medium", "high"}, 0, 0, "Of createImageBitmap."};
    return {
        {"browser",
         "canvas",
         "context.drawImage(source, 0, 0, W, H)",
         tried,
         "off, low and images bit-exact; medium one level in 0.5 %, high one in 0.1 %; where alpha is ½ and more, two in 1 %",
         "GPUs: low is there the plain bilinear; medium and high are close where they enlarge",
         {quality, source},
         [](const RecipeCall& call) {
             if (call.options.is("quality", "off")) return nearest(call, true);
             if (call.options.is("source", "image")) return decoded(call);
             return call.options.is("quality", "low") ? in_sixteenths(call)
                                                      : canvas(call, call.options.text("quality"));
         }},
        {"browser",
         "css",
         "<img style=\"width: Wpx; height: Hpx\">",
         tried,
         "bit-exact",
         "GPUs: there as canvas medium, but for three levels in 2 %",
         {rendering},
         [](const RecipeCall& call) {
             return call.options.is("image-rendering", "auto") ? decoded(call) : nearest(call, true);
         }},
        {"browser",
         "bitmap",
         "createImageBitmap(data, {resizeWidth: W, resizeHeight: H})",
         tried,
         "pixelated and low bit-exact, medium one level in 1 %, high one in 0.1 %; where alpha is ½ and more, two levels",
         "the 8 bits of its colours by alpha",
         {resize},
         [](const RecipeCall& call) {
             ResizeRule rule = call.options.is("resizeQuality", "low")
                                   ? in_16_bits(call, call.x.samples, call.y.samples)
                                   : canvas(call, call.options.text("resizeQuality"));
             rule.premultiplied = false;
             return rule;
         }},
    };
}

}  // namespace texelscope
