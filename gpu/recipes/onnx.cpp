// ONNX's Resize, as ONNX Runtime computes it on a CPU: positions are float32, divided by the scale N / n; 8 bits without
// antialiasing are cut off, not rounded.

#include <cmath>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

void align(Rule& rule, std::string_view mode, double pixels) {
    rule.stepping = Stepping::factor;
    rule.position_precision = Precision::float32;
    if (mode == "align_corners") {
        rule.alignment = Alignment::corners;
        rule.stepping = Stepping::quotient;
    } else if (mode == "asymmetric") {
        rule.alignment = Alignment::asymmetric;
    } else if (mode == "half_pixel_symmetric") {
        rule.alignment = Alignment::symmetric;
    } else if (mode == "tf_half_pixel_for_nn") {
        rule.alignment = Alignment::half_pixels;
    } else if (mode == "tf_crop_and_resize") {
        rule.alignment = Alignment::region;
        rule.beyond = Beyond::value;
    } else if (mode == "pytorch_half_pixel" && pixels == 1) {
        rule.alignment = Alignment::asymmetric;  // the first sample
    }
}

void choose_nearest(Rule& rule, std::string_view mode) {
    rule.tap_rule = TapRule::nearest;
    rule.nearest = mode == "floor"               ? NearestRule::floor
                   : mode == "ceil"              ? NearestRule::ceil
                   : mode == "round_prefer_ceil" ? NearestRule::half_up
                                                 : NearestRule::half_down;
    if (mode.starts_with("round")) rule.tie = 1e-6;
}

void check(const RecipeOptions& options) {
    const bool antialias = options.is("antialias", "1");
    if (antialias && options.is("mode", "nearest"))
        throw UsageError("like:onnx/resize has antialias=1 with mode=linear and mode=cubic only");
    if (antialias && options.is("coordinate_transformation_mode", "tf_crop_and_resize"))
        throw UsageError("like:onnx/resize does not stand for antialias=1 with tf_crop_and_resize");
    if (options.is("exclude_outside", "1") && !options.is("mode", "cubic") && !antialias)
        throw UsageError("like:onnx/resize has exclude_outside=1 with mode=cubic or antialias=1 only");
}

ResizeRule resize(const RecipeCall& call) {
    const RecipeOptions& options = call.options;
    check(options);
    const bool antialias = options.is("antialias", "1"), nearest = options.is("mode", "nearest");
    const double scale = options.number("scales");
    const bool same = call.x.pixels == call.x.samples && call.y.pixels == call.y.samples;
    const auto of_axis = [&](const ResizedAxis& axis, std::string_view from, std::string_view to) {
        Rule rule;
        const double factor = scale > 0 ? scale : axis.pixels / axis.samples;
        if (same || factor == 1 || (antialias && axis.pixels == axis.samples)) {
            rule.alignment = Alignment::asymmetric;  // a copy, whatever the mode
        } else {
            align(rule, options.text("coordinate_transformation_mode"), axis.pixels);
            rule.region_from = options.number(from);
            rule.region_to = options.number(to);
            if (scale > 0) rule.factor = scale;
        }
        if (nearest) choose_nearest(rule, options.text("nearest_mode"));
        if (options.is("mode", "cubic")) rule.weight = fmt::format("bicubic:a={}", options.text("cubic_coeff_a"));
        rule.unit_area = antialias;
        if (antialias) {
            rule.widened = true;
            rule.weight_precision = Precision::float32;
            rule.stretch = 1 / factor;
            rule.window = TapWindow::rounded;
        }
        if (options.is("exclude_outside", "0")) rule.edges = AddressMode::clamp;
        if (antialias && call.type == RecipeType::u8) {
            rule.bits = 22;
            rule.weight_rounding = Rounding::half_away;
        }
        return rule;
    };
    ResizeRule rule{
        of_axis(call.x, "roi_x_start", "roi_x_end"), of_axis(call.y, "roi_y_start", "roi_y_end"), {}, false};
    LongPasses& passes = rule.passes;
    passes.fill = float(options.number("extrapolation_value"));
    if (call.type == RecipeType::u8 && !nearest) {
        passes.unit = 255;
        passes.whole = true;
        if (antialias)
            passes.first =
                passes.second = {.fixed = true, .shift = 22, .add = 1 << 21, .clipped = true, .low = 0, .high = 255};
        else passes.second.round = Rounding::down;
    }
    return rule;
}

}  // namespace

std::vector<Recipe> onnx_recipes() {
    return {
        {"onnx",
         "resize",
         "Resize(X, roi, scales, sizes) of opset 19, by onnxruntime on a CPU, NCHW",
         "onnxruntime 1.30",
         "nearest exact; 8 bits: one level in 0.3 %, in flat areas with mode=linear 6 %; floats 4e-6, cubic with exclude_outside 1e-4",
         "8 bits with mode=linear: the library multiplies the weights of both axes before it sums, and cuts off: 6 % of a flat area are "
         "one level less there",
         {{"mode", "nearest", {"nearest", "linear", "cubic"}, 0, 0, "How samples are weighted."},
          {"coordinate_transformation_mode",
           "half_pixel",
           {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
            "tf_half_pixel_for_nn", "tf_crop_and_resize"},
           0,
           0,
           "Which position a pixel reads. tf_half_pixel_for_nn: until opset 12."},
          {"nearest_mode",
           "round_prefer_floor",
           {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"},
           0,
           0,
           "Of mode=nearest. Positions within 1e-6 of a tie are ties."},
          {"cubic_coeff_a", "-0.75", {}, -4, 4, "Of mode=cubic."},
          {"antialias", "0", {"0", "1"}, 0, 0, "Opset 18 and later."},
          {"exclude_outside", "0", {"0", "1"}, 0, 0, "Whether weights beyond the edges are left out."},
          {"scales", "0", {}, 0, 1000, "Pixels per sample on both axes, instead of sizes. 0: from the sizes."},
          {"extrapolation_value", "0", {}, -1e6, 1e6, "Of tf_crop_and_resize: pixels whose position is outside."},
          {"roi_x_start", "0", {}, -100, 100, "Of tf_crop_and_resize: the region, as parts of the image's width."},
          {"roi_x_end", "1", {}, -100, 100, "Where it ends along x."},
          {"roi_y_start", "0", {}, -100, 100, "The same of its height."},
          {"roi_y_end", "1", {}, -100, 100, "Where it ends along y."}},
         resize}};
}

}  // namespace texelscope
