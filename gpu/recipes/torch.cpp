// PyTorch: torch.nn.functional.interpolate and grid_sample, on the CPU.

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {
namespace {

// Alpha is a channel like others there.
ResizeRule both(const Rule& axis) { return {.x = axis, .y = axis, .premultiplied = false}; }

Rule filtered(const TorchCall& torch) {
    const bool cubic = torch.mode == "bicubic";
    Rule axis;
    if (torch.scale_factor > 0 && !torch.align_corners) axis.factor = torch.scale_factor;
    if (torch.antialias) {
        axis.weight = cubic ? "bicubic:a=-0.5" : "bilinear";
        axis.widened = true;
        axis.window = TapWindow::rounded;
        axis.alignment = torch.align_corners ? Alignment::corner_areas : Alignment::centers;
        return axis;
    }
    axis.weight = cubic ? "bicubic:a=-0.75" : "bilinear";
    axis.window = TapWindow::taps;
    axis.unit_area = false;
    axis.edges = AddressMode::clamp;
    axis.alignment = torch.align_corners ? Alignment::corners : Alignment::centers;
    return axis;
}

}  // namespace

ResizeRule torch_interpolate(const TorchCall& torch, const RecipeCall& call) {
    if (torch.mode == "area") return both({.tap_rule = TapRule::bins});
    if (torch.mode == "nearest" || torch.mode == "nearest-exact") {
        Rule axis{.tap_rule = TapRule::nearest, .position_precision = Precision::float32, .edges = AddressMode::clamp};
        if (torch.scale_factor > 0) axis.factor = torch.scale_factor;
        if (torch.mode == "nearest") {
            axis.nearest = NearestRule::floor;
            axis.alignment = Alignment::asymmetric;
        }
        ResizeRule rule = both(axis);
        // To as many or twice as many pixels a factor says nothing.
        const auto is_plain = [&](const ResizedAxis& of) {
            return torch.mode == "nearest" && (of.pixels == of.samples || of.pixels == 2.0 * of.samples);
        };
        if (is_plain(call.x)) rule.x.factor = {};
        if (is_plain(call.y)) rule.y.factor = {};
        return rule;
    }
    Rule axis = filtered(torch);
    axis.position_precision = torch.antialias           ? Precision::float32
                              : torch.rounded_positions ? Precision::rounded
                                                        : Precision::steps;
    return both(axis);
}

ResizeRule torch_interpolate_levels(const TorchCall& torch, const RecipeCall& call) {
    ResizeRule rule = both(filtered(torch));
    const auto pass_along = [](Rule& axis, const ResizedAxis& of) {
        axis.rounded_within = true;
        axis.bits = bits_below(1 << 15, 22, axis, of);
        axis.weight_rounding = Rounding::half_away;
        return LongPass{.fixed = true,
                        .shift = axis.bits,
                        .add = int64_t(1) << (axis.bits - 1),
                        .clipped = true,
                        .low = 0,
                        .high = 255};
    };
    rule.passes = {.unit = 255, .whole = true};
    rule.passes.first = pass_along(rule.x, call.x);
    rule.passes.second = pass_along(rule.y, call.y);
    return rule;
}

namespace {

ResizeRule interpolated(std::string_view mode, const RecipeCall& call) {
    const auto chosen = [&](std::string_view id) { return call.options.values.contains(id) && call.options.yes(id); };
    TorchCall torch{.mode = mode, .align_corners = chosen("align_corners"), .antialias = chosen("antialias")};
    if (call.options.values.contains("scale_factor")) torch.scale_factor = call.options.number("scale_factor");
    if (call.options.values.contains("version")) torch.rounded_positions = call.options.is("version", "2");
    if (call.options.values.contains("dtype") && call.options.is("dtype", "uint8"))
        return torch_interpolate_levels(torch, call);
    return torch_interpolate(torch, call);
}

ResizeRule sampled(const RecipeCall& call) {
    const bool corners = call.options.yes("align_corners");
    Rule axis{.weight = "bilinear",
              .unit_area = false,
              .window = TapWindow::taps,
              .nearest = NearestRule::half_even,
              .alignment = corners ? Alignment::corners : Alignment::centers,
              .stepping = Stepping::grid};
    if (call.options.is("mode", "nearest")) axis.tap_rule = TapRule::nearest;
    if (call.options.is("mode", "bicubic")) axis.weight = "bicubic:a=-0.75";
    if (call.options.is("padding_mode", "zeros")) axis.edges = AddressMode::border;
    if (call.options.is("padding_mode", "border")) axis.edges = AddressMode::clamp;
    if (call.options.is("padding_mode", "reflection"))
        axis.edges = corners ? AddressMode::reflect101 : AddressMode::mirror;
    return both(axis);
}

namespace option {
const RecipeOption align_corners{"align_corners",
                                 "false",
                                 {"false", "true"},
                                 0,
                                 0,
                                 "Whether the centres of the corner samples coincide instead of the outer edges."};
const RecipeOption antialias{
    "antialias",
    "false",
    {"false", "true"},
    0,
    0,
    "Whether weights are widened where the picture shrinks, as by Pillow; bicubic then has a = -0.5 instead of -0.75."};
const RecipeOption scale_factor{
    "scale_factor",
    "0",
    {},
    0,
    1000,
    "Given instead of a size, and used as it is; 0: the sizes count, as with recompute_scale_factor=True."};
const RecipeOption dtype{
    "dtype", "float32", {"float32", "uint8"},
    0,       0,         "Of the tensor. uint8: levels, by weights of 16 bits (from 2.0 on, bicubic 2.1)."};
const RecipeOption version{"version", "2", {"2", "1.13"},
                           0,         0,   "1.13: positions without antialiasing are not rounded to float32."};
const RecipeOption mode{"mode", "bilinear", {"bilinear", "nearest", "bicubic"},
                        0,      0,          "How the grid's points are interpolated."};
const RecipeOption padding_mode{
    "padding_mode", "zeros", {"zeros", "border", "reflection"}, 0, 0, "What is beyond the edges."};
}  // namespace option

constexpr std::string_view tried = "torch 1.13, 2.11 (CPU)", floats = "floats 2e-6",
                           filters = "floats 2e-6; uint8 bit-exact (2.11)",
                           one_size = "a scale_factor that leaves the size as it is; antialiasing to one pixel in 2.x";

}  // namespace

std::vector<Recipe> torch_recipes() {
    return {
        {"torch",
         "nearest",
         "F.interpolate(x, size, mode='nearest')",
         tried,
         "exact",
         one_size,
         {option::scale_factor},
         [](const RecipeCall& call) { return interpolated("nearest", call); }},
        {"torch",
         "nearest-exact",
         "F.interpolate(x, size, mode='nearest-exact')",
         tried,
         "exact",
         one_size,
         {option::scale_factor},
         [](const RecipeCall& call) { return interpolated("nearest-exact", call); }},
        {"torch",
         "linear",
         "F.interpolate(x, size, mode='linear')",
         tried,
         floats,
         one_size,
         {option::align_corners, option::scale_factor, option::version},
         [](const RecipeCall& call) { return interpolated("linear", call); }},
        {"torch",
         "bilinear",
         "F.interpolate(x, size, mode='bilinear')",
         tried,
         filters,
         one_size,
         {option::antialias, option::align_corners, option::scale_factor, option::dtype, option::version},
         [](const RecipeCall& call) { return interpolated("bilinear", call); }},
        {"torch",
         "bicubic",
         "F.interpolate(x, size, mode='bicubic')",
         tried,
         filters,
         one_size,
         {option::antialias, option::align_corners, option::scale_factor, option::dtype, option::version},
         [](const RecipeCall& call) { return interpolated("bicubic", call); }},
        {"torch",
         "area",
         "F.interpolate(x, size, mode='area')",
         tried,
         floats,
         "",
         {},
         [](const RecipeCall& call) { return interpolated("area", call); }},
        {"torch",
         "grid_sample",
         "F.grid_sample(x, F.affine_grid(identity, size))",
         tried,
         "floats 3e-6 (1.13), 7e-6 (2.11, measured at 160 samples); nearest exact",
         "AVX-512 builds of affine_grid, and grids of more than 16384 points a thread",
         {option::mode, option::padding_mode, option::align_corners},
         sampled},
    };
}

}  // namespace texelscope
