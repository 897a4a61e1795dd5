// TensorFlow: tf.image.resize of version 2, and the operators of version 1. Positions are float32, times the step. Results of
// 8 bits are floats, but those of nearest.

#include "gpu/core/errors.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

Rule single() {
    Rule rule;
    rule.position_precision = Precision::float32;
    rule.edges = AddressMode::clamp;
    rule.unit_area = false;
    return rule;
}

ResizeRule both(const Rule& rule, bool y_first = false) {
    ResizeRule result{rule, rule, {}, false};
    result.passes.y_first = y_first;
    return result;
}

// The raw weight functions of ScaleAndTranslate, whose weights beyond the edges are left out.
Rule scaled_and_translated(std::string_view method, bool antialias) {
    Rule rule;
    rule.weight = method == "bilinear"   ? "bilinear"
                  : method == "bicubic"  ? "bicubic:a=-0.5"
                  : method == "lanczos3" ? "radius = 3\nw(x) = sinc(x)*sinc(x/3)\n"
                  : method == "lanczos5" ? "radius = 5\nw(x) = sinc(x)*sinc(x/5)\n"
                  : method == "gaussian" ? "radius = 1.5\nw(x) = exp(-2*x*x)\n"
                                         : "mitchell";
    rule.position_precision = Precision::float32;
    rule.stepping = Stepping::inverse;
    rule.widened = antialias;
    return rule;
}

Rule nearest_of_halves() {
    Rule rule = single();
    rule.tap_rule = TapRule::nearest;
    rule.alignment = Alignment::half_pixels;
    rule.nearest = NearestRule::floor;
    return rule;
}

Rule areas() {
    Rule rule = single();
    rule.tap_rule = TapRule::box;
    return rule;
}

// With half-pixel centres: a = −½, and weights beyond the edges are left out. Positions in 1/1024.
Rule tabulated_cubic() {
    Rule rule = single();
    rule.weight = "bicubic:a=-0.5";
    rule.position_steps = 1024;
    rule.edges = {};
    return rule;
}

ResizeRule resize(const RecipeCall& call) {
    const std::string_view method = call.options.text("method");
    const bool antialias = call.options.yes("antialias");
    if (method == "nearest") return both(nearest_of_halves());
    if (method == "area") return both(areas());
    if (method == "bilinear" && !antialias) return both(single());
    if (method == "bicubic" && !antialias) return both(tabulated_cubic(), true);
    return both(scaled_and_translated(method, antialias), true);
}

// The alignment of version 1's operators.
Rule legacy(const RecipeOptions& options, const ResizedAxis& axis) {
    if (options.yes("align_corners") && options.values.contains("half_pixel_centers") &&
        options.yes("half_pixel_centers"))
        throw UsageError("TensorFlow has align_corners=true only without half_pixel_centers=true");
    Rule rule = single();
    rule.alignment = options.yes("align_corners") && axis.pixels > 1 ? Alignment::corners : Alignment::asymmetric;
    return rule;
}

ResizeRule nearest_neighbor(const RecipeCall& call) {
    const auto of_axis = [&](const ResizedAxis& axis) {
        Rule rule = legacy(call.options, axis);
        if (call.options.yes("half_pixel_centers")) return nearest_of_halves();
        rule.tap_rule = TapRule::nearest;
        rule.nearest = call.options.yes("align_corners") ? NearestRule::half_up : NearestRule::floor;
        return rule;
    };
    return {of_axis(call.x), of_axis(call.y), {}, false};
}

ResizeRule bilinear(const RecipeCall& call) {
    const auto of_axis = [&](const ResizedAxis& axis) {
        const Rule rule = legacy(call.options, axis);
        return call.options.yes("half_pixel_centers") ? single() : rule;
    };
    return {of_axis(call.x), of_axis(call.y), {}, false};
}

ResizeRule bicubic(const RecipeCall& call) {
    const auto of_axis = [&](const ResizedAxis& axis) {
        Rule rule = legacy(call.options, axis);
        if (call.options.yes("half_pixel_centers")) return tabulated_cubic();
        rule.weight = "bicubic:a=-0.75";
        rule.position_steps = 1024;
        return rule;
    };
    ResizeRule rule{of_axis(call.x), of_axis(call.y), {}, false};
    rule.passes.y_first = true;
    return rule;
}

const RecipeOption align_corners{
    "align_corners", "false", {"true", "false"}, 0, 0, "Whether the centres of the corner samples coincide."},
    half_pixel_centers{"half_pixel_centers", "false", {"true", "false"}, 0, 0, "Whether the outer edges coincide."};

constexpr std::string_view read = "read from the source of 2.4 to 2.16; bilinear and nearest compared with tfjs 4.22",
                           not_asked = "TensorFlow itself was not asked: it cannot be installed here";

}  // namespace

std::vector<Recipe> tensorflow_recipes() {
    return {{"tensorflow",
             "resize",
             "tf.image.resize(image, (H, W))",
             read,
             "nearest exact; floats 3e-6 (from the source)",
             not_asked,
             {{"method",
               "bilinear",
               {"bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"},
               0,
               0,
               "How samples are weighted."},
              {"antialias", "false", {"true", "false"}, 0, 0, "Of all methods but nearest and area."}},
             resize},
            {"tensorflow",
             "resize_nearest_neighbor",
             "tf.compat.v1.image.resize_nearest_neighbor(images, (H, W))",
             read,
             "exact",
             not_asked,
             {align_corners, half_pixel_centers},
             nearest_neighbor},
            {"tensorflow",
             "resize_bilinear",
             "tf.compat.v1.image.resize_bilinear(images, (H, W))",
             read,
             "floats 3e-6",
             not_asked,
             {align_corners, half_pixel_centers},
             bilinear},
            {"tensorflow",
             "resize_bicubic",
             "tf.compat.v1.image.resize_bicubic(images, (H, W))",
             read,
             "floats 3e-6 (from the source)",
             not_asked,
             {align_corners, half_pixel_centers},
             bicubic},
            {"tensorflow",
             "resize_area",
             "tf.compat.v1.image.resize_area(images, (H, W))",
             read,
             "floats 3e-6 (from the source)",
             not_asked,
             {},
             [](const RecipeCall&) { return both(areas()); }}};
}

}  // namespace texelscope
