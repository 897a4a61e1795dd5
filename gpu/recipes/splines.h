#pragma once
// What SciPy and the libraries that stand on it have in common.

#include "gpu/recipes/recipe.h"

namespace texelscope {

// B-splines of degree 0 to 5, at positions in float64.
inline Rule spline_rule(int degree, bool prefilter) {
    static constexpr const char* weights[] = {"nearest", "bilinear", "quadratic", "bspline", "quartic", "quintic"};
    Rule rule{.stepping = Stepping::step};
    if (degree == 0) rule.tap_rule = TapRule::nearest;
    rule.weight = weights[degree];
    rule.unit_area = false;
    rule.prefilter = prefilter;
    return rule;
}

// The result in the image's own type, half up.
inline void round_levels(LongPasses& passes, RecipeType type) {
    passes.unit = type == RecipeType::u8 ? 255.0f : 65535.0f;
    passes.whole = true;
    passes.second = {
        .round = Rounding::half_up, .clipped = true, .low = -passes.fill, .high = passes.unit - passes.fill};
}

}  // namespace texelscope
