// imresize of MATLAB and of Octave's package image. MATLAB's normalises its weights and rounds to the image's type between the
// axes, the one that shrinks most first; Octave's does neither.

#include <cmath>

#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

bool is_nearest(std::string_view method) { return method == "nearest" || method == "box"; }

Rule imresize_rule(const RecipeOptions& options, const ResizedAxis& axis) {
    const std::string_view method = options.text("method");
    Rule rule;
    rule.edges = AddressMode::mirror;
    rule.widened = options.is("antialiasing", "auto") ? !is_nearest(method) : options.yes("antialiasing");
    if (options.number("scale") > 0) rule.factor = options.number("scale");
    rule.weight = method == "bilinear"   ? "bilinear"
                  : method == "lanczos2" ? "radius = 2\nw(x) = sinc(x)*sinc(x/2)\n"
                  : method == "lanczos3" ? "radius = 3\nw(x) = sinc(x)*sinc(x/3)\n"
                  : is_nearest(method)   ? "radius = 1\nw(x) = x > -0.5 && x <= 0.5 ? 1 : 0\n"
                                         : "bicubic:a=-0.5";
    if (is_nearest(method) && (!rule.widened || axis.pixels >= axis.samples)) {
        rule.tap_rule = TapRule::nearest;
        rule.edges = AddressMode::clamp;
    }
    return rule;
}

LongPass levels(RecipeType type) {
    if (type == RecipeType::f32) return {};
    return {.round = Rounding::half_up, .clipped = true, .low = 0, .high = type == RecipeType::u8 ? 255.0f : 65535.0f};
}

ResizeRule matlab(const RecipeCall& call) {
    ResizeRule rule{imresize_rule(call.options, call.x), imresize_rule(call.options, call.y), {}, false};
    rule.passes.first = rule.passes.second = levels(call.type);
    if (call.type != RecipeType::f32) rule.passes.unit = rule.passes.second.high;
    rule.passes.whole = call.type != RecipeType::f32;
    rule.passes.y_first = rule.y.factor || call.y.step() >= call.x.step();
    return rule;
}

ResizeRule octave(const RecipeCall& call) {
    ResizeRule rule{imresize_rule(call.options, call.x), imresize_rule(call.options, call.y), {}, false};
    for (Rule* axis : {&rule.x, &rule.y}) {
        axis->unit_area = false;
        axis->stepping = Stepping::one_based;
        // Whole numbers are computed in float32.
        if (call.type != RecipeType::f32 && axis->tap_rule != TapRule::nearest)
            axis->position_precision = axis->weight_precision = Precision::float32;
    }
    rule.passes.second = levels(call.type);
    if (call.type != RecipeType::f32) rule.passes.unit = rule.passes.second.high;
    rule.passes.whole = call.type != RecipeType::f32;
    return rule;
}

const RecipeOption antialiasing{
    "antialiasing",
    "auto",
    {"auto", "true", "false"},
    0,
    0,
    "Whether weights are widened where the picture shrinks. auto: of all methods but nearest and box."},
    scale{"scale", "0", {}, 0, 1000, "Pixels per sample on both axes, instead of a size. 0: from the sizes."};

}  // namespace

std::vector<Recipe> matlab_recipes() {
    return {{"matlab",
             "imresize",
             "imresize(A, [H W])",
             "1006 samples of MATLAB's in the tests of Octave's image 2.14",
             "8 bits: one level in 2 % (ties)",
             "MATLAB itself was not asked; 16 bits, floats, box and lanczos by its documentation",
             {{"method",
               "bicubic",
               {"nearest", "box", "bilinear", "bicubic", "lanczos2", "lanczos3"},
               0,
               0,
               "How samples are weighted."},
              antialiasing,
              scale},
             matlab},
            {"octave",
             "imresize",
             "pkg load image; imresize(A, [H W])",
             "Octave 7.3 with image 2.14",
             "8 bits: one level in 0.1 %, 16 bits in 4 % (ties); floats 2e-6",
             "box with antialiasing: which sample counts at a tie",
             {{"method", "bicubic", {"nearest", "box", "bilinear", "bicubic"}, 0, 0, "How samples are weighted."},
              antialiasing,
              scale},
             octave}};
}

}  // namespace texelscope
