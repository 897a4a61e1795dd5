// pica, JavaScript's: its filters, in its fixed point.

#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

ResizeRule filtered(const char* weight, const RecipeCall& call) {
    Rule axis;
    axis.weight = weight;
    axis.widened = true;
    axis.stepping = Stepping::reciprocal;
    ResizeRule rule{axis, axis, {}, true, {}};
    if (call.type != RecipeType::u8) return rule;
    if (call.alpha) {
        rule.passes = {.unit = 255,
                       .first = {.clipped = true, .low = 0, .high = 512},
                       .second = {.clipped = true, .low = 0, .high = 255}};
        return rule;
    }
    for (Rule* each : {&rule.x, &rule.y}) {
        each->weight_precision = Precision::rounded;
        each->bits = 14;
        each->one = 16383;
        each->weight_rounding = Rounding::half_up;
    }
    // 15 bits between the axes.
    rule.passes = {.unit = 255,
                   .whole = true,
                   .first = {.fixed = true, .shift = 7, .clipped = true, .low = 0, .high = 65535},
                   .second = {.fixed = true, .shift = 21, .add = 1 << 20, .clipped = true, .low = 0, .high = 255}};
    return rule;
}

constexpr std::string_view tried = "pica 10.0.3, 9.0.1 (JavaScript and WebAssembly)",
                           bound = "bit-exact; where alpha is ½ and more, one level in 5 %",
                           unknown = "colours are divided by an alpha that was rounded to 8 bits";

Recipe by_filter(std::string_view name, std::string_view call, ResizeRule (*rule)(const RecipeCall&)) {
    return {"pica", name, call, tried, bound, unknown, {}, rule};
}

}  // namespace

std::vector<Recipe> pica_recipes() {
    return {
        by_filter(
            "box", "pica.resize(from, to, {filter: 'box'})",
            [](const RecipeCall& call) { return filtered("radius = 0.75\nw(x) = abs(x) < 0.5 ? 1 : 0\n", call); }),
        by_filter("hamming", "pica.resize(from, to, {filter: 'hamming'})",
                  [](const RecipeCall& call) {
                      return filtered("radius = 1\nw(x) = sinc(x)*(0.54 + 0.46*cos(pi*x))\n", call);
                  }),
        by_filter("lanczos2", "pica.resize(from, to, {filter: 'lanczos2'})",
                  [](const RecipeCall& call) { return filtered("radius = 2\nw(x) = sinc(x)*sinc(x/2)\n", call); }),
        by_filter("lanczos3", "pica.resize(from, to, {filter: 'lanczos3'})",
                  [](const RecipeCall& call) { return filtered("radius = 3\nw(x) = sinc(x)*sinc(x/3)\n", call); }),
        by_filter("mks2013", "pica.resize(from, to, {filter: 'mks2013'})",
                  [](const RecipeCall& call) {
                      return filtered(
                          "radius = 2.5\nw(x) = abs(x) < 0.5 ? 1.0625 - 1.75*x^2 : abs(x) < 1.5 ? "
                          "0.25*(4*x^2 - 11*abs(x) + 7) : -0.125*(abs(x) - 2.5)^2\n",
                          call);
                  }),
    };
}

}  // namespace texelscope
