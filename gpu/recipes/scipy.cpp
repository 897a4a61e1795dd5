// SciPy: ndimage.zoom. Positions and sums are float64; a prefilter of order 2 and more sees the image as its mode continues it,
// but behind `nearest` and `grid-constant`, where it is padded by 12 samples and mirrored there.

#include <algorithm>

#include "gpu/recipes/recipe.h"

namespace texelscope {

// What SciPy and the libraries that stand on it have in common.

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

namespace {

// By its mode, what the samples' coefficients are continued by, and what positions beyond them are.
void continue_by(Rule& rule, std::string_view mode) {
    rule.edges = mode == "nearest"         ? AddressMode::clamp
                 : mode == "reflect"       ? AddressMode::mirror
                 : mode == "grid-wrap"     ? AddressMode::wrap
                 : mode == "grid-constant" ? AddressMode::border
                                           : AddressMode::reflect101;
    if (mode == "constant") rule.beyond = Beyond::value;
    if (mode == "wrap") rule.beyond = Beyond::period;
}

ResizeRule zoom(const RecipeCall& call) {
    const RecipeOptions& options = call.options;
    const std::string_view mode = options.text("mode");
    Rule rule = spline_rule(int(options.number("order")), options.yes("prefilter"));
    rule.alignment = options.yes("grid_mode") ? Alignment::centers : Alignment::corners;
    continue_by(rule, mode);
    if (mode == "nearest" || mode == "grid-constant") rule.padding = 12;
    ResizeRule both{rule, rule, {}, false};
    both.passes.fill = float(options.number("cval"));
    if (call.type != RecipeType::f32) round_levels(both.passes, call.type);
    return both;
}

}  // namespace

std::vector<Recipe> scipy_recipes() {
    return {
        {"scipy",
         "zoom",
         "scipy.ndimage.zoom(a, (H / h, W / w))",
         "SciPy 1.10",
         "order=0 exact; 8 and 16 bits: one level in 1 % (ties); floats 2e-6",
         "mode=reflect with order 2 and more on axes of less than 14 samples: SciPy before 1.18 started its filter wrongly there",
         {{"order", "3", {"0", "1", "2", "3", "4", "5"}, 0, 0, "Degree of the spline."},
          {"mode",
           "constant",
           {"constant", "wrap", "mirror", "reflect", "nearest", "grid-wrap", "grid-constant"},
           0,
           0,
           "What is beyond the edges. constant: also where rounding puts the last pixel beyond the last sample, which makes the "
           "last row or column cval at some sizes."},
          {"cval", "0", {}, -1e6, 1e6, "What is beyond the edges with mode=constant and grid-constant, in levels."},
          {"prefilter", "true", {"true", "false"}, 0, 0, "Whether the spline passes through the samples."},
          {"grid_mode",
           "false",
           {"true", "false"},
           0,
           0,
           "Whether the outer edges coincide rather than the corner samples."}},
         zoom}};
}

namespace {

// scikit-image: transform.resize is a Gaussian by axis and SciPy's zoom with grid_mode; resize_local_mean is areas. Samples become
// floats first, so results are not rounded to levels.

bool shrinks(const ResizedAxis& axis) { return axis.pixels < axis.samples; }

ResizeRule resize(const RecipeCall& call) {
    const RecipeOptions& options = call.options;
    const int order = int(options.number("order"));
    const std::string_view mode = options.text("mode");
    const bool levels = call.type != RecipeType::f32 && order == 0;  // what stays in the image's own type
    const bool blurs = options.is("anti_aliasing", "auto") ? (shrinks(call.x) || shrinks(call.y)) && !levels
                                                           : options.yes("anti_aliasing");
    const auto of_axis = [&](const ResizedAxis& axis) {
        Rule rule = spline_rule(order, true);
        rule.edges = mode == "edge"        ? AddressMode::clamp
                     : mode == "symmetric" ? AddressMode::mirror
                     : mode == "wrap"      ? AddressMode::wrap
                     : mode == "constant"  ? AddressMode::border
                                           : AddressMode::reflect101;
        if (mode == "edge" || mode == "constant") rule.padding = 12;
        const double sigma = options.number("anti_aliasing_sigma");
        if (blurs) rule.blur.sigma = sigma >= 0 ? sigma : std::max(0.0, (axis.step() - 1) / 2);
        return rule;
    };
    ResizeRule rule{of_axis(call.x), of_axis(call.y), {.y_first = true}, false};
    rule.passes.fill = float(options.number("cval"));
    rule.passes.whole = levels;
    if (levels) rule.passes.unit = call.type == RecipeType::u8 ? 255.0f : 65535.0f;
    if (levels && blurs) rule.passes.first.round = rule.passes.second.round = Rounding::down;
    // Weights that are nowhere negative stay within, but where they meet a border.
    rule.passes.second.within_samples = options.yes("clip") && (order > 1 || mode == "constant");
    return rule;
}

ResizeRule local_mean(const RecipeCall& call) {
    Rule rule{.tap_rule = TapRule::box};
    if (!call.options.yes("grid_mode")) rule.alignment = Alignment::corners;
    return {rule, rule, {.y_first = true}, false};
}

}  // namespace

std::vector<Recipe> skimage_recipes() {
    return {
        {"skimage",
         "resize",
         "skimage.transform.resize(a, (H, W))",
         "scikit-image 0.19 with SciPy 1.10",
         "floats 2e-6; order=0 exact",
         "mode=constant with clip: whether cval widens the range depends on the result; mode=symmetric on short axes, as SciPy's "
         "reflect; anti_aliasing=true with order=0 in whole numbers: one level where rounding decides",
         {{"order", "1", {"0", "1", "2", "3", "4", "5"}, 0, 0, "Degree of the spline."},
          {"mode", "reflect", {"reflect", "symmetric", "edge", "constant", "wrap"}, 0, 0, "What is beyond the edges."},
          {"cval", "0", {}, -1e6, 1e6, "What is beyond the edges with mode=constant."},
          {"clip", "true", {"true", "false"}, 0, 0, "Whether results stay within the least and the largest sample."},
          {"anti_aliasing",
           "auto",
           {"auto", "true", "false"},
           0,
           0,
           "A Gaussian before. auto: where an axis shrinks, but for whole numbers with order=0 (version 0.20 and later)."},
          {"anti_aliasing_sigma", "-1", {}, -1, 1000, "Of the Gaussian, on both axes. -1: (step - 1) / 2 on each."}},
         resize},
        {"skimage",
         "resize_local_mean",
         "skimage.transform.resize_local_mean(a, (H, W))",
         "scikit-image 0.19",
         "floats 2e-6",
         "",
         {{"grid_mode",
           "true",
           {"true", "false"},
           0,
           0,
           "Whether the outer edges coincide rather than the corner samples."}},
         local_mean}};
}

}  // namespace texelscope
