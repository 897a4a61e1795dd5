// From one recipe to another, an ingredient at a time.

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/core/errors.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

// The parts of a rule that make an ingredient. Every part belongs to one.
template <class Part> void for_parts(Ingredient ingredient, const Part& part) {
    switch (ingredient) {
        case Ingredient::alignment:
            part(&Rule::alignment), part(&Rule::stepping), part(&Rule::span);
            part(&Rule::region_from), part(&Rule::region_to), part(&Rule::position_precision),
                part(&Rule::position_shift), part(&Rule::position_steps);
            part(&Rule::position_rounding);
            break;
        case Ingredient::widening:
            part(&Rule::widened), part(&Rule::least_stretch), part(&Rule::stretch), part(&Rule::blur);
            break;
        case Ingredient::weights:
            part(&Rule::tap_rule), part(&Rule::weight), part(&Rule::radius), part(&Rule::unit_area),
                part(&Rule::window);
            part(&Rule::nearest), part(&Rule::tie), part(&Rule::prefilter), part(&Rule::padding);
            break;
        case Ingredient::edges: part(&Rule::edges), part(&Rule::beyond); break;
        case Ingredient::arithmetic:
            part(&Rule::bits), part(&Rule::one), part(&Rule::weight_rounding), part(&Rule::weight_precision);
            part(&Rule::rounded_within);
            break;
        case Ingredient::order:
        case Ingredient::alpha: break;
    }
}

// Takes over an ingredient.
void take(ResizeRule& rule, const ResizeRule& other, Ingredient ingredient) {
    const Rule x = rule.x, y = rule.y;
    for_parts(ingredient, [&](auto part) {
        rule.x.*part = other.x.*part;
        rule.y.*part = other.y.*part;
    });
    // Sums in cells are divided by their number, which is arithmetic: until then, and from then on, weights are means.
    const bool cells = rule.passes.cell_width > 0, other_cells = other.passes.cell_width > 0;
    if (ingredient == Ingredient::weights && cells != other_cells) {
        rule.x.unit_area = rule.y.unit_area = true;
        rule.passes.cell_width = rule.passes.cell_height = 0;
    }
    if (ingredient == Ingredient::arithmetic && other_cells) {
        rule.x.unit_area = other.x.unit_area;
        rule.y.unit_area = other.y.unit_area;
    }
    // Smaller pictures that are read instead; a factor belongs to the picture that is read.
    const bool same_picture = rule.before == other.before;
    if (ingredient == Ingredient::widening) rule.before = other.before;
    if (ingredient == (same_picture ? Ingredient::alignment : Ingredient::widening)) {
        rule.x.factor = other.x.factor;
        rule.y.factor = other.y.factor;
    }
    // A library's own table is that of all ingredients together.
    if (rule.x != x) rule.x.table = {};
    if (rule.y != y) rule.y.table = {};
    if (ingredient == Ingredient::arithmetic) rule.x.table = other.x.table, rule.y.table = other.y.table;
    if (ingredient == Ingredient::edges) rule.passes.fill = other.passes.fill;
    if (ingredient == Ingredient::order) rule.passes.y_first = other.passes.y_first;
    if (ingredient == Ingredient::alpha) rule.premultiplied = other.premultiplied;
    if (ingredient == Ingredient::arithmetic) {
        const bool y_first = rule.passes.y_first;
        const float fill = rule.passes.fill;
        rule.passes = other.passes;
        rule.passes.y_first = y_first;
        rule.passes.fill = fill;
    }
}

std::string number(double value) { return fmt::format("{:.6g}", value); }

std::string alignment_words(const Rule& rule) {
    if (rule.tap_rule == TapRule::box || rule.tap_rule == TapRule::bins) return "areas of the pixels";
    std::string words(name_of(rule.alignment));
    if (rule.factor) words += ", exact factor " + number(*rule.factor);
    if (rule.position_steps > 0) words += fmt::format(", rounded to 1/{}", rule.position_steps);
    if (rule.position_precision == Precision::float32) words += ", float32";
    return words;
}

std::string widening_words(const Rule& rule) {
    std::string words = rule.widened ? "on" : "off";
    if (rule.blur.sigma > 0) words += fmt::format(", Gaussian of {:.3g} samples before", rule.blur.sigma);
    return words;
}

std::string weight_words(const Rule& rule) {
    if (rule.tap_rule == TapRule::nearest) return fmt::format("nearest, {}", name_of(rule.nearest));
    if (rule.tap_rule != TapRule::weights) return std::string(name_of(rule.tap_rule));
    const size_t line = rule.weight.find("w(x)");
    std::string words = rule.weight;
    if (line != std::string::npos) {
        words = rule.weight.substr(line);
        words = words.substr(0, words.find('\n'));
        const size_t radius = rule.weight.find("radius = ");
        if (radius != std::string::npos)
            words += ", radius " + rule.weight.substr(radius + 9, rule.weight.find('\n', radius) - radius - 9);
    }
    if (rule.radius > 0) words += ", radius " + number(rule.radius);
    if (!rule.prefilter && line == std::string::npos) words += ", without prefilter";
    return words;
}

std::string pass_words(const LongPass& pass) {
    if (pass.plain()) return "floats";
    std::string words = pass.fixed ? fmt::format("whole numbers, shifted by {}", pass.shift) : "floats";
    if (pass.round == Rounding::half_even) words += ", rounded half to even";
    if (pass.round == Rounding::half_up) words += ", rounded half up";
    if (pass.multiple > 0) words += fmt::format(", cut down to a multiple of {:g}", pass.multiple);
    if (pass.round == Rounding::down) words += ", cut off";
    if (pass.within_samples) words += ", clipped to the range of the samples";
    if (pass.clipped) words += fmt::format(", clipped to {:g} … {:g}", pass.low, pass.high);
    return words;
}

std::string arithmetic_words(const ResizeRule& rule) {
    std::string words = rule.x.bits > 0 ? fmt::format("weights of {} bits; ", rule.x.bits) : "";
    const std::string first = pass_words(rule.passes.first), second = pass_words(rule.passes.second);
    return words + (first == second ? first : fmt::format("between the axes {}; at the end {}", first, second));
}

// Both axes, or one if they are alike.
template <class Words> std::string by_axis(const ResizeRule& rule, Words words) {
    const std::string x = words(rule.x), y = words(rule.y);
    return x == y ? x : fmt::format("x: {}; y: {}", x, y);
}

}  // namespace

std::string words(const ResizeRule& rule, Ingredient ingredient) {
    switch (ingredient) {
        case Ingredient::alignment: return by_axis(rule, alignment_words);
        case Ingredient::widening:
            return by_axis(rule, widening_words) +
                   (rule.before.all().empty() ? ""
                                              : fmt::format(", after {} smaller picture{}", rule.before.all().size(),
                                                            rule.before.all().size() == 1 ? "" : "s"));
        case Ingredient::weights:
            // Where the last picture on the way is the result but for rounding, its weights are meant.
            if (!rule.before.all().empty() && rule.x.tap_rule == TapRule::nearest)
                return words(rule.before.all().back().rules.front(), ingredient);
            return by_axis(rule, weight_words);
        case Ingredient::edges:
            return by_axis(rule, [](const Rule& axis) {
                return axis.edges ? std::string(name_of(*axis.edges)) : std::string("normalise");
            });
        case Ingredient::order: return rule.passes.y_first ? "y, then x" : "x, then y";
        case Ingredient::arithmetic: return arithmetic_words(rule);
        case Ingredient::alpha: return rule.premultiplied ? "premultiplied" : "a channel like others";
    }
    return "";
}

namespace {

// closeness() counts levels of the type that the picture has.
Image in_type_of(const Image& image, const Image& picture) {
    Image result = converted(picture, image.type());
    result.set_profile(image.profile());
    return result;
}

}  // namespace

Explanation explain(const std::shared_ptr<Backend>& backend, const Image& image, const BoundRecipe& from,
                    const BoundRecipe& to, Extent size, const StudyProgress& progress) {
    Explanation result{.source = {}, .from = from, .to = to, .size = size, .first = {}, .steps = {}};
    ResizeRule rule = rule_of(from, image, size);
    const ResizeRule last = rule_of(to, image, size);
    const auto picture_by = [&](const ResizeRule& by) {
        return in_type_of(image, resized_by_rule(backend, image, by, size));
    };
    result.first = picture_by(rule);
    for (const auto& row : ingredients) {
        if (progress) progress(int(&row - std::begin(ingredients)), int(std::size(ingredients)));
        ResizeRule next = rule;
        take(next, last, row.value);
        if (next == rule) continue;
        const Image& before = result.steps.empty() ? result.first : result.steps.back().picture;
        Image picture = picture_by(next);
        const Closeness step = closeness(picture, before), from_start = closeness(picture, result.first);
        result.steps.push_back(
            {row.value, words(rule, row.value), words(next, row.value), next, std::move(picture), step, from_start});
        rule = next;
    }
    return result;
}

std::string Explanation::answer() const {
    const std::string pair = fmt::format("{} and {}", from.name(), to.name());
    const auto most = std::max_element(steps.begin(), steps.end(), [](const ExplainedStep& a, const ExplainedStep& b) {
        return a.step.psnr > b.step.psnr;
    });
    if (most == steps.end() || most->step.exact())
        return fmt::format("{} give the same result at {}×{}.", pair, size.width, size.height);
    const std::string unit = most->step.levels ? " levels" : "";
    if (steps.size() == 1)
        return fmt::format("{} differ in one ingredient, {}, by up to {:.3g}{}.", pair, name_of(most->changed),
                           most->step.largest, unit);
    return fmt::format("{} differ in {} ingredients: {} changes most, by up to {:.3g}{}.", pair, steps.size(),
                       name_of(most->changed), most->step.largest, unit);
}

Image resized_picture(const std::shared_ptr<Backend>& backend, const Image& original, const ResizedSource& how) {
    if (!original.in_memory()) throw Error("a recipe needs the whole image in memory, and this one is too large");
    ResizeRule rule = rule_of(parse_recipe(how.recipe), original, how.size);
    if (!how.towards.empty()) {
        const ResizeRule last = rule_of(parse_recipe(how.towards), original, how.size);
        const auto changed = std::find_if(std::begin(ingredients), std::end(ingredients),
                                          [&](const auto& row) { return row.name == how.changed; });
        if (changed == std::end(ingredients))
            throw UsageError(fmt::format("“{}” is no ingredient of a recipe", how.changed));
        for (auto row = std::begin(ingredients); row != changed + 1; ++row) take(rule, last, row->value);
    }
    return in_type_of(original, resized_by_rule(backend, original, rule, how.size));
}

}  // namespace texelscope
