// SciPy: ndimage.zoom, and the functions that are given positions. Positions and sums are float64; a prefilter of order 2 and more sees the image as its mode continues it,
// but behind `nearest` and `grid-constant`, where it is padded by 12 samples and mirrored there.

#include "gpu/recipes/recipe.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {
namespace {

// By its mode, what the samples' coefficients are continued by, and what positions beyond them are.
void continue_by(Rule& rule, std::string_view mode) {
    rule.edges = mode == "nearest"         ? AddressMode::clamp
                 : mode == "reflect"       ? AddressMode::mirror
                 : mode == "grid-mirror"   ? AddressMode::mirror
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

// At positions as they are, with a step of 1.
ResizeRule at_positions(const RecipeCall& call) {
    ResizeRule both = zoom(call);
    both.x.alignment = both.y.alignment = Alignment::asymmetric;
    return both;
}

namespace option {
const RecipeOption order{"order", "3", {"0", "1", "2", "3", "4", "5"}, 0, 0, "Degree of the spline."};
const RecipeOption grid_mode{"grid_mode", "false", {"true", "false"},
                             0,           0,       "Whether the outer edges coincide rather than the corner samples."};
const RecipeOption cval{"cval", "0", {},
                        -1e6,   1e6, "What is beyond the edges with mode=constant and grid-constant, in levels."};
const RecipeOption prefilter{"prefilter", "true", {"true", "false"},
                             0,           0,      "Whether the spline passes through the samples."};
RecipeOption mode(std::string_view summary) {
    return {"mode",
            "constant",
            {"constant", "wrap", "mirror", "reflect", "nearest", "grid-mirror", "grid-wrap", "grid-constant"},
            0,
            0,
            summary};
}
}  // namespace option

constexpr std::string_view tried = "SciPy 1.10",
                           short_axes =
                               "mode=reflect with order 2 and more on axes of less than 14 samples: SciPy before 1.18 "
                               "started its filter wrongly there";

Recipe of_positions(std::string_view function, std::string_view call) {
    return {"scipy",
            function,
            call,
            tried,
            "floats 2e-6; 8 and 16 bits: one level in 1 % (ties)",
            short_axes,
            {option::order, option::mode("What is beyond the edges. constant: cval, and nothing in between."),
             option::cval, option::prefilter},
            at_positions,
            nullptr,
            true};
}

}  // namespace

std::vector<Recipe> scipy_recipes() {
    return {
        {"scipy",
         "zoom",
         "scipy.ndimage.zoom(a, (H / h, W / w))",
         tried,
         "order=0 exact; 8 and 16 bits: one level in 1 % (ties); floats 2e-6",
         short_axes,
         {option::order,
          option::mode(
              "What is beyond the edges. constant: also where rounding puts the last pixel beyond the last sample, which "
              "makes the last row or column cval at some sizes."),
          option::cval, option::prefilter, option::grid_mode},
         zoom},
        of_positions("rotate", "scipy.ndimage.rotate(a, angle, reshape=False): texelscope render --rotate angle"),
        of_positions("shift", "scipy.ndimage.shift(a, (dy, dx)): texelscope render --translate -dx,-dy"),
        of_positions(
            "affine_transform",
            "scipy.ndimage.affine_transform(a, [[E, D], [B, A]], (F, C)): texelscope render --affine A,B,C,D,E,F"),
        of_positions("map_coordinates",
                     "scipy.ndimage.map_coordinates(a, (y, x)): texelscope warp --map, sample --at")};
}

}  // namespace texelscope
