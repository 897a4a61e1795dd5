// Our own: a resize of any ingredients, each an option.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/method/polar_method.h"
#include "gpu/recipes/recipe.h"

namespace texelscope {
namespace {

constexpr std::string_view name = "like:texelscope/resize";

// Kept for the life of the program, as the records of recipes keep views.
std::string_view option_name(std::string_view words) {
    static std::map<std::string, std::string, std::less<>> names;
    auto found = names.find(words);
    if (found == names.end()) {
        std::string text(words);
        std::replace(text.begin(), text.end(), ' ', '_');
        found = names.emplace(words, std::move(text)).first;
    }
    return found->second;
}

template <class Choice> std::vector<std::string_view> option_names(std::initializer_list<Choice> without = {}) {
    std::vector<std::string_view> all;
    for (const Choice each : all_values<Choice>)
        if (std::find(without.begin(), without.end(), each) == without.end()) all.push_back(option_name(name_of(each)));
    return all;
}

template <class Choice> Choice chosen(const RecipeOptions& options, std::string_view id) {
    for (const Choice each : all_values<Choice>)
        if (option_name(name_of(each)) == options.text(id)) return each;
    return Choice{};
}

std::vector<std::string_view> methods() {
    std::vector<std::string_view> all{"area", "bins"};
    for (const MethodInfo* method : all_methods())
        if (!is_polar(*method)) all.push_back(method->id);
    return all;
}

bool is_area(std::string_view method) { return method == "area" || method == "bins"; }

// Its spec, with the parameters that are options.
std::string spec_of(std::string_view method, const RecipeOptions& options) {
    if (method == "bicubic") return fmt::format("bicubic:a={}", options.text("a"));
    if (method == "bc") return fmt::format("bc:b={},c={}", options.text("b"), options.text("c"));
    if (method == "gaussian") return fmt::format("gaussian:sigma={}", options.text("sigma"));
    return std::string(method);
}

// The weight function before it is normalised for each phase, of the methods that are.
std::string raw_weights_of(std::string_view method, const RecipeOptions& options) {
    if (method.starts_with("lanczos"))
        return fmt::format("radius = {0}\nw(x) = sinc(x)*sinc(x/{0})\n", method.substr(7));
    if (method == "gaussian") {
        const double rate = 1 / (2 * options.number("sigma") * options.number("sigma")), end = std::exp(-rate * 16);
        return fmt::format("radius = 4\nw(x) = exp(-{0:.17g}*x*x) - {1:.17g}*(1 + {0:.17g}*(16 - x*x))\n", rate, end);
    }
    return spec_of(method, options);
}

bool has_prefilter(std::string_view method) { return !is_area(method) && parse_method(method).has_prefilter(); }

std::string_view method_y(const RecipeOptions& options) {
    return options.is("method_y", "same") ? options.text("method") : options.text("method_y");
}

// Options that need another one to have an effect.
void check_options(const RecipeOptions& options) {
    static const Recipe& recipe = *parse_recipe(name).recipe;
    const auto given = [&](std::string_view id) {
        for (const RecipeOption& option : recipe.options)
            if (option.id == id) return options.text(id) != option.standard;
        return false;
    };
    const auto uses = [&](std::string_view method) {
        return options.is("method", method) || options.is("method_y", method);
    };
    const bool levels = given("levels"), fixed = options.number("weight_bits") > 0,
               region = options.is("align", "region"), corners = region || options.text("align").starts_with("corner"),
               filled = options.is("beyond", "one_value") || options.is("edges", "border");
    struct Need {
        std::initializer_list<std::string_view> options;
        bool met;
        std::string_view what;
    };
    const Need needs[] = {
        {{"nearest"}, uses("nearest"), "method=nearest"},
        {{"a"}, uses("bicubic"), "method=bicubic"},
        {{"b", "c"}, uses("bc"), "method=bc"},
        {{"sigma"}, uses("gaussian"), "method=gaussian"},
        {{"widening"}, options.yes("antialias"), "antialias=true"},
        {{"truncate"}, options.number("blur") > 0 || options.number("blur_y") > 0, "a blur"},
        {{"x_start", "x_end", "y_start", "y_end"}, region, "align=region"},
        {{"factor", "factor_y"}, !corners, "an alignment whose steps do not follow from the sizes alone"},
        {{"outside"}, filled, "beyond=one_value or edges=border"},
        {{"round", "rounding", "weight_bits"}, levels, "levels=u8 or levels=u16"},
        {{"weight_rounding"}, fixed, "weight_bits"},
        {{"position_rounding"}, options.number("position_steps") > 0, "position_steps"},
        {{"align"},
         !is_area(options.text("method")) && !is_area(method_y(options)),
         "a method that reads positions, not areas"},
    };
    for (const Need& need : needs)
        for (const std::string_view id : need.options)
            if (given(id) && !need.met) throw UsageError(fmt::format("{} of {} needs {}", id, name, need.what));
    for (const std::string_view method : {options.text("method"), method_y(options)})
        if (options.is("edges", "normalise") && has_prefilter(method))
            throw UsageError(
                fmt::format("edges=normalise of {} leaves taps out, but the prefilter of {} needs an image that "
                            "goes on: choose an address mode",
                            name, method));
    if (fixed && options.number("outside") != 0)
        throw UsageError(fmt::format("outside of {} is 0 where weights have weight_bits", name));
    if (fixed && !options.is("rounding", "half_up") && !options.is("rounding", "floor"))
        throw UsageError(
            fmt::format("weight_bits of {} adds whole numbers up, whose rounding is half_up or floor", name));
    const int most = options.is("round", "each") ? 22 : options.is("levels", "u8") ? 15 : 7;
    if (options.number("weight_bits") > most)
        throw UsageError(fmt::format("weight_bits of {} is at most {} with levels={} and round={}", name, most,
                                     options.text("levels"), options.text("round")));
}

Rule axis_rule(const RecipeOptions& options, std::string_view method, bool y) {
    Rule rule;
    rule.weight = options.is("widening", "raw") ? raw_weights_of(method, options) : spec_of(method, options);
    if (is_area(method)) {
        rule.tap_rule = method == "area" ? TapRule::box : TapRule::bins;
        rule.weight = "bilinear";
    }
    if (method == "nearest") rule.tap_rule = TapRule::nearest;
    rule.widened = options.yes("antialias") && rule.tap_rule == TapRule::weights;
    rule.nearest = chosen<NearestRule>(options, "nearest");
    if (options.is("align", "origin")) {
        rule.alignment = Alignment::asymmetric;
        rule.position_shift = -0.5;
    } else {
        rule.alignment = chosen<Alignment>(options, "align");
    }
    rule.region_from = options.number(y ? "y_start" : "x_start");
    rule.region_to = options.number(y ? "y_end" : "x_end");
    const double factor = options.number("factor"), factor_y = options.number("factor_y");
    if (y && factor_y > 0) rule.factor = factor_y;
    else if (factor > 0) rule.factor = factor;
    rule.position_steps = int(options.number("position_steps"));
    rule.position_rounding = chosen<Rounding>(options, "position_rounding");
    if (!options.is("edges", "normalise")) rule.edges = chosen<AddressMode>(options, "edges");
    rule.beyond = chosen<Beyond>(options, "beyond");
    const double blur_y = options.number("blur_y");
    rule.blur = {y && blur_y >= 0 ? blur_y : options.number("blur"), options.number("truncate")};
    rule.bits = int(options.number("weight_bits"));
    rule.weight_rounding = chosen<Rounding>(options, "weight_rounding");
    return rule;
}

LongPasses passes_of(const RecipeOptions& options) {
    LongPasses passes;
    passes.y_first = options.is("order", "yx");
    passes.any_order = options.is("levels", "floats");  // which are not rounded between the passes
    if (!passes.any_order) {
        passes.unit = options.is("levels", "u8") ? 255 : 65535;
        passes.whole = true;
        const int bits = int(options.number("weight_bits"));
        const bool each = options.is("round", "each"), half = options.is("rounding", "half_up");
        LongPass last{.clipped = true, .low = 0, .high = passes.unit};
        if (bits > 0) {
            last.fixed = true;
            last.shift = each ? bits : 2 * bits;
            last.add = half ? int64_t(1) << (last.shift - 1) : 0;
        } else {
            last.round = chosen<Rounding>(options, "rounding");
        }
        passes.second = last;
        passes.first = each ? last : LongPass{.fixed = bits > 0};
    }
    passes.fill = float(options.number("outside")) * passes.unit;
    return passes;
}

ResizeRule resize(const RecipeCall& call) {
    check_options(call.options);
    return {axis_rule(call.options, call.options.text("method"), false),
            axis_rule(call.options, method_y(call.options), true),
            passes_of(call.options),
            call.options.is("alpha", "premultiplied"),
            {}};
}

std::vector<RecipeOption> all_options() {
    std::vector<std::string_view> by_y = methods(), edges = option_names<AddressMode>(),
                                  alignments = option_names<Alignment>();
    by_y.insert(by_y.begin(), "same");
    edges.insert(edges.begin(), "normalise");
    alignments.push_back("origin");
    const std::vector<std::string_view> rounded = option_names<Rounding>({Rounding::none}), yes{"true", "false"};
    return {
        {"method", "bicubic", methods(), 0, 0,
         "Weights by distance, or area: samples by the part of the pixel that they fill; bins: the mean of all samples that it "
         "touches. Splines are prefiltered where they are not widened."},
        {"method_y", "same", by_y, 0, 0, "That along y."},
        {"a", "-0.75", {}, -4, 4, "Of bicubic."},
        {"b", "0.3333333333333333", {}, 0, 1, "Of bc: blur."},
        {"c", "0.3333333333333333", {}, 0, 1, "Of bc: sharpening."},
        {"sigma", "0.5", {}, 0.35, 1, "Of gaussian, in samples."},
        {"antialias", "true", yes, 0, 0, "Whether weights are widened where the picture shrinks."},
        {"widening",
         "raw",
         {"raw", "by_phase"},
         0,
         0,
         "raw: the weight function as it is; by_phase: normalised at each phase before it is widened. Weights sum to 1 either way; "
         "lanczos and gaussian differ."},
        {"edges", "normalise", edges, 0, 0,
         "normalise: taps beyond the image are left out and the others sum to 1; else what the image goes on with."},
        {"align", "centers", alignments, 0, 0, "Which position a pixel reads."},
        {"factor", "0", {}, 0, 1000, "Pixels per sample instead of those that follow from the sizes; 0: those."},
        {"factor_y", "0", {}, 0, 1000, "The same along y; 0: as factor."},
        {"x_start", "0", {}, -100, 100, "Of align=region: where it begins along x, as a part of the image."},
        {"x_end", "1", {}, -100, 100, "Where it ends along x."},
        {"y_start", "0", {}, -100, 100, "Where it begins along y."},
        {"y_end", "1", {}, -100, 100, "Where it ends along y."},
        {"beyond", "by_the_edges", option_names<Beyond>(), 0, 0,
         "What pixels are whose position is outside the image."},
        {"outside",
         "0",
         {},
         -1e6,
         1e6,
         "The value outside, of beyond=one_value and edges=border; the image's is up to 1."},
        {"nearest", "half_up", option_names<NearestRule>(), 0, 0, "Of method=nearest: which sample."},
        {"position_steps", "0", {}, 0, 65536, "Positions are rounded to 1/n sample; 0: not."},
        {"position_rounding", "half_to_even", rounded, 0, 0, "How positions are rounded."},
        {"blur", "0", {}, 0, 20, "Gaussian before the resize: its standard deviation in samples."},
        {"blur_y", "-1", {}, -1, 20, "That along y; -1: the same."},
        {"truncate", "4", {}, 0.5, 10, "Where it is cut off, in standard deviations."},
        {"order", "xy", {"xy", "yx"}, 0, 0, "Which axis is first; the CPU takes floats in either order."},
        {"levels", "floats", {"floats", "u8", "u16"}, 0, 0, "Whole levels that the result is rounded and clipped to."},
        {"round", "end", {"end", "each"}, 0, 0, "After the second axis, or after each."},
        {"rounding", "half_up", rounded, 0, 0, "How levels are rounded."},
        {"weight_bits", "0", {}, 0, 22, "Weights are whole numbers of 2^-n, and sums are exact; 0: floats."},
        {"weight_rounding", "half_to_even", rounded, 0, 0, "How weights are rounded."},
        {"alpha", "premultiplied", {"premultiplied", "channel"}, 0, 0, "Whether colours are multiplied by it first."},
    };
}

}  // namespace

std::vector<Recipe> texelscope_recipes() {
    return {{"texelscope", "resize", "any ingredients of a resize, by axis", "this version",
             "by float64 mathematics: floats 2e-6; fixed point exact", "", all_options(), resize}};
}

}  // namespace texelscope
