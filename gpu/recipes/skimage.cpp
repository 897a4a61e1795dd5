// scikit-image: transform.resize and rescale are a Gaussian by axis and SciPy's zoom with grid_mode; resize_local_mean is areas; warp reads positions. Samples become
// floats first, so results are not rounded to levels.

#include <algorithm>

#include "gpu/recipes/recipe.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {
namespace {

bool shrinks(const ResizedAxis& axis) { return axis.pixels < axis.samples; }

AddressMode edges_of(std::string_view mode) {
    return mode == "edge"        ? AddressMode::clamp
           : mode == "symmetric" ? AddressMode::mirror
           : mode == "wrap"      ? AddressMode::wrap
           : mode == "constant"  ? AddressMode::border
                                 : AddressMode::reflect101;
}

ResizeRule resize(const RecipeCall& call) {
    const RecipeOptions& options = call.options;
    const int order = int(options.number("order"));
    const std::string_view mode = options.text("mode");
    const bool levels = call.type != RecipeType::f32 && order == 0;  // what stays in the image's own type
    const bool blurs = options.is("anti_aliasing", "auto") ? (shrinks(call.x) || shrinks(call.y)) && !levels
                                                           : options.yes("anti_aliasing");
    const auto of_axis = [&](const ResizedAxis& axis) {
        Rule rule = spline_rule(order, true);
        rule.edges = edges_of(mode);
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

// By a matrix with order 1 and 3 by code of its own, whose cubic is no spline; else by SciPy's map_coordinates.
ResizeRule warp(const RecipeCall& call) {
    const RecipeOptions& options = call.options;
    const int order = int(options.number("order"));
    const std::string_view mode = options.text("mode");
    Rule rule = spline_rule(order, true);
    if (order == 3 && options.is("inverse_map", "matrix")) rule.weight = "catmull-rom";
    rule.alignment = Alignment::asymmetric;
    rule.edges = edges_of(mode);
    if (mode == "edge" || mode == "constant") rule.padding = 12;
    ResizeRule both{rule, rule, {.y_first = true}, false};
    both.passes.fill = float(options.number("cval"));
    both.passes.second.within_samples = options.yes("clip") && (order > 1 || mode == "constant");
    return both;
}

ResizeRule local_mean(const RecipeCall& call) {
    Rule rule{.tap_rule = TapRule::box};
    if (!call.options.yes("grid_mode")) rule.alignment = Alignment::corners;
    return {rule, rule, {.y_first = true}, false};
}

}  // namespace

std::vector<Recipe> skimage_recipes() {
    const auto resized = [](std::string_view function, std::string_view call) -> Recipe {
        return {
            "skimage",
            function,
            call,
            "scikit-image 0.19 with SciPy 1.10",
            "floats 2e-6; order=0 exact",
            "mode=constant with clip: whether cval widens the range depends on the result; mode=symmetric on short axes, as SciPy's "
            "reflect; anti_aliasing=true with order=0 in whole numbers: one level where rounding decides",
            {{"order", "1", {"0", "1", "2", "3", "4", "5"}, 0, 0, "Degree of the spline."},
             {"mode",
              "reflect",
              {"reflect", "symmetric", "edge", "constant", "wrap"},
              0,
              0,
              "What is beyond the edges."},
             {"cval", "0", {}, -1e6, 1e6, "What is beyond the edges with mode=constant."},
             {"clip", "true", {"true", "false"}, 0, 0, "Whether results stay within the least and the largest sample."},
             {"anti_aliasing",
              "auto",
              {"auto", "true", "false"},
              0,
              0,
              "A Gaussian before. auto: where an axis shrinks, but for whole numbers with order=0 (version 0.20 and later)."},
             {"anti_aliasing_sigma", "-1", {}, -1, 1000, "Of the Gaussian, on both axes. -1: (step - 1) / 2 on each."}},
            resize};
    };
    return {
        resized("resize", "skimage.transform.resize(a, (H, W))"),
        resized("rescale", "skimage.transform.rescale(a, (H / h, W / w))"),
        {"skimage",
         "warp",
         "skimage.transform.warp(a, inverse_map): texelscope render --affine, warp --map",
         "scikit-image 0.19 with SciPy 1.10",
         "floats 2e-6; order=0 exact",
         "float32 images by a matrix: scikit-image computes positions in float32; several channels with order 2, 4 and 5: SciPy "
         "filters them as a third axis, wrongly where that is short; mode=constant with clip: whether cval widens the "
         "range depends on the result; mode=symmetric on short axes, as SciPy's reflect",
         {{"order", "1", {"0", "1", "2", "3", "4", "5"}, 0, 0, "Degree of the spline."},
          {"mode", "constant", {"constant", "edge", "symmetric", "reflect", "wrap"}, 0, 0, "What is beyond the edges."},
          {"cval", "0", {}, -1e6, 1e6, "What is beyond the edges with mode=constant."},
          {"clip", "true", {"true", "false"}, 0, 0, "Whether results stay within the least and the largest sample."},
          {"inverse_map",
           "matrix",
           {"matrix", "coordinates"},
           0,
           0,
           "What the function is given. By a matrix order=3 is a Catmull-Rom cubic, by coordinates or a function a spline."}},
         warp,
         nullptr,
         true},
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
