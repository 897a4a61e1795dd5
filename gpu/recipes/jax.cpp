// JAX: jax.image.resize. Positions are float32, times the inverse of the scale; weights beyond the edges are left out. Results of
// 8 bits are floats, but those of nearest.

#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

ResizeRule resize(const RecipeCall& call) {
    const std::string_view method = call.options.text("method");
    const bool antialias = call.options.yes("antialias");
    Rule rule;
    rule.position_precision = Precision::float32;
    rule.stepping = Stepping::rounded_inverse;
    rule.widened = antialias;
    if (method == "nearest") {
        rule.tap_rule = TapRule::nearest;
        rule.nearest = NearestRule::floor;
        rule.alignment = Alignment::half_pixels;
        rule.stepping = Stepping::quotient;
    } else if (method == "area") {
        rule.tap_rule = TapRule::box;
    } else if (method == "cubic-pytorch" && !antialias) {
        rule.weight = "bicubic:a=-0.75";
        rule.edges = AddressMode::clamp;
    } else if (method == "lanczos3" || method == "lanczos5") {
        rule.weight =
            method == "lanczos3" ? "radius = 3\nw(x) = sinc(x)*sinc(x/3)\n" : "radius = 5\nw(x) = sinc(x)*sinc(x/5)\n";
    } else if (method != "linear") {
        rule.weight = "bicubic:a=-0.5";
    }
    return {rule, rule, {}, false};
}

}  // namespace

std::vector<Recipe> jax_recipes() {
    return {{"jax",
             "resize",
             "jax.image.resize(image, (H, W, C), method)",
             "JAX 0.11 (CPU)",
             "floats 5e-6",
             "",
             {{"method",
               "linear",
               {"nearest", "linear", "cubic", "cubic-pytorch", "lanczos3", "lanczos5", "area"},
               0,
               0,
               "Newer versions have cubic-pytorch and area."},
              {"antialias", "true", {"true", "false"}, 0, 0, "Of all methods but nearest and area."}},
             resize}};
}

}  // namespace texelscope
