#pragma once
// What SciPy and the libraries that stand on it have in common.

#include "gpu/recipes/recipe.h"

namespace texelscope {

// B-splines of degree 0 to 5, at positions in float64.
inline Rule spline_rule(int degree, bool prefilter) {
    static constexpr const char* weights[] = {
        "nearest",
        "bilinear",
        "name = B-spline of degree 2\nradius = 1.5\nprefilter = auto\n"
        "w(x) = abs(x) < 0.5 ? 0.75 - x*x : 0.5*(1.5 - abs(x))^2\n",
        "bspline",
        "name = B-spline of degree 4\nradius = 2.5\nprefilter = auto\n"
        "w(x) = abs(x) < 0.5 ? x*x*(x*x/4 - 5/8) + 115/192 : abs(x) < 1.5 ? "
        "abs(x)*(abs(x)*(abs(x)*(5 - abs(x))/6 - 1.25) + 5/24) + 55/96 : (2.5 - abs(x))^4/24\n",
        "quintic"};
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
