// Reports of identifying and explaining, as plain data.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

constexpr size_t listed_recipes = 24;

bool has_whole_levels(const Identification& found) {
    return found.type == SampleType::u8 || found.type == SampleType::u16;
}

std::string decibels(double psnr) { return std::isfinite(psnr) ? fmt::format("{:.2f}", psnr) : "∞"; }

std::string size_words(Extent size) { return fmt::format("{}×{}", size.width, size.height); }

Plot response_plot(const Measured& measured) {
    const MeasuredResponse& x = measured.resizer.x;
    Plot plot{.title = "Measured weights"};
    plot.series.push_back({.name = "along x", .x = x.distance, .y = x.value, .ink = Ink::blue});
    plot.series.push_back({.name = "along y",
                           .x = measured.resizer.y.distance,
                           .y = measured.resizer.y.value,
                           .style = Series::Style::dashed,
                           .ink = Ink::orange});
    if (!measured.x.name.empty()) {
        constexpr int points = 600;
        const MethodSpec spec = parse_spec(measured.x.name);
        const double from = x.distance.front(), step = (x.distance.back() - from) / points,
                     stretch = measured.x.stretch;
        const auto weight = weights_stretched_by(stretch, *spec.method, spec.parameters);
        Series nearest{.name = measured.x.name, .ink = Ink::green};
        for (int k = 0; k <= points; ++k) {
            nearest.x.push_back(from + k * step);
            nearest.y.push_back(weight((nearest.x.back() - x.shift) / stretch) / stretch);
        }
        plot.series.push_back(std::move(nearest));
    }
    plot.x = axis_over(plot.series, true, false, "sample − position (samples)");
    plot.y = axis_over(plot.series, false, false, "weight");
    plot.x.minimum = x.distance.front();
    plot.y.minimum = *std::min_element(x.value.begin(), x.value.end()) - 0.05;
    return plot;
}

// What was assumed and measured, by name: a report's facts.
std::vector<std::pair<std::string, std::string>> facts_of(const Identification& found) {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"verdict", std::string(name_of(found.ranked.front().match))},
        {"recipe", found.ranked.front().recipe.text},
        {"the same picture by", fmt::format("{}", fmt::join(found.ranked.front().same, " "))},
        {"placement",
         fmt::format("{}, {} of {}", found.placement.x, found.placement.y, size_words(found.placement.whole))},
        {"red and blue", found.channels_swapped ? "exchanged" : "as they were"}};
    if (found.jpeg)
        facts.push_back({"JPEG", fmt::format("{}, {}",
                                             found.jpeg->quality > 0 ? fmt::format("quality {}", found.jpeg->quality)
                                                                     : std::string("tables of its own"),
                                             found.jpeg->from_file ? "by the file" : "by the samples")});
    if (!found.measured) return facts;
    const MeasuredResizer& resizer = found.measured->resizer;
    facts.push_back({"position along x",
                     fmt::format("{:.6f} + i * {:.6f}", resizer.x.line.offset + resizer.x.shift, resizer.x.line.step)});
    facts.push_back({"position along y",
                     fmt::format("{:.6f} + i * {:.6f}", resizer.y.line.offset + resizer.y.shift, resizer.y.line.step)});
    facts.push_back({"alignment", resizer.x.line.name});
    facts.push_back({"antialiasing", found.measured->x.stretch > 1 ? "on" : "off"});
    facts.push_back({"nearest weights",
                     fmt::format("{}, off by {:.3g} of the largest", found.measured->x.name, found.measured->x.error)});
    facts.push_back({"edges", resizer.edges.name.empty() ? "none of the usual" : resizer.edges.name});
    if (!resizer.edges.alike.empty())
        facts.push_back({"edges that cannot be told apart", fmt::format("{}", fmt::join(resizer.edges.alike, ", "))});
    facts.push_back({"light", found.measured->linear_light ? "linear" : "as stored"});
    facts.push_back({"clipped", resizer.clipped || has_whole_levels(found) ? "yes" : "no"});
    facts.push_back({"residual", fmt::format("{:.3g} of the range", resizer.residual)});
    facts.push_back({"reproduced to", fmt::format("{:.3g} of the range", found.measured->reproduced)});
    facts.push_back({"uncertain by", fmt::format("{:.2g} of the largest weight", resizer.x.uncertain)});
    facts.push_back({"condition", fmt::format("{:.2g}", resizer.condition)});
    return facts;
}

}  // namespace

ExperimentResult report_of(const Identification& found) {
    ExperimentResult result;
    result.experiment = "identify";
    result.title = "Whose rule made this picture?";
    result.question = fmt::format("{} ({}) was made of {} ({}): by which library's rule?", found.result_name,
                                  size_words(found.result), found.original_name, size_words(found.original));
    result.expectation = fmt::format("{}", fmt::join(found.findings, " "));
    const char* const unit = has_whole_levels(found) ? "levels" : "";
    ResultTable table{.title = "Recipes, the nearest first"};
    table.columns = {{"recipe"}, {"verdict"}, {"largest", unit}, {"mean", unit}, {"equal", "%", 5}, {"PSNR", "dB", 4}};
    if (found.jpeg) table.columns.push_back({"of the JPEG", "%", 4});
    for (size_t k = 0; k < std::min(listed_recipes, found.ranked.size()); ++k) {
        const RankedRecipe& ranked = found.ranked[k];
        std::string name = ranked.recipe.text;
        if (!ranked.same.empty()) name += fmt::format(" (and {} more)", ranked.same.size());
        ResultCell psnr = ranked.closeness.psnr;
        if (!std::isfinite(ranked.closeness.psnr)) psnr = std::string("∞");
        table.rows.push_back({name, std::string(name_of(ranked.match)), ranked.closeness.largest, ranked.closeness.mean,
                              100 * ranked.closeness.equal, psnr});
        if (found.jpeg)
            table.rows.back().push_back(ranked.possible ? ResultCell(100 * *ranked.possible) : ResultCell());
    }
    table.note = fmt::format(
        "Of {} different rules. Those far off were compared on some of the pixels only. Bounds of each "
        "recipe: docs/libraries.md.",
        found.ranked.size());
    result.tables.push_back(std::move(table));
    if (found.measured) result.plots.push_back(response_plot(*found.measured));
    result.facts = facts_of(found);
    return result;
}

ExperimentResult report_of(const Explanation& found) {
    ExperimentResult result;
    result.experiment = "explain";
    result.title = fmt::format("From {} to {}", found.from.text, found.to.text);
    result.question = fmt::format("{} at {}: what does each difference between the two rules change?", found.source,
                                  size_words(found.size));
    result.expectation =
        "One ingredient is exchanged after the other, in a fixed order: what a step changes depends on those before it, "
        "and all steps together lead from one result to the other.";
    ResultTable table{.title = "Steps"};
    table.columns = {{"changed"}, {"from"}, {"to"}, {"PSNR", "dB"}, {"largest"}, {"at"}, {"PSNR from the start", "dB"}};
    for (const ExplainedStep& change : found.steps) {
        table.rows.push_back({std::string(name_of(change.changed)), change.from, change.to, decibels(change.step.psnr),
                              change.step.largest, fmt::format("{}, {}", change.step.worst_x, change.step.worst_y),
                              decibels(change.from_start.psnr)});
        const Image& before = &change == &found.steps.front() ? found.first : (&change)[-1].picture;
        const double end = change.step.levels ? std::max(1.0, change.step.largest) : 255 * change.step.largest;
        result.pictures.push_back(
            ResultPicture{fmt::format("{}: {}", name_of(change.changed), change.to),
                          fmt::format("{} dB, up to {:.3g}", decibels(change.step.psnr), change.step.largest),
                          residual_picture(change.picture, before, std::max(end, 1e-3))});
    }
    table.note = found.steps.empty() ? "Both rules are the same for this picture and size."
                                     : "Largest differences in levels of the picture's type, of floats as numbers.";
    Plot plot{.title = "Difference to the first result"};
    Series series{.name = "RMS"};
    for (size_t k = 0; k < found.steps.size(); ++k) {
        const double psnr = found.steps[k].from_start.psnr;
        series.x.push_back(double(k + 1));
        series.y.push_back(std::isfinite(psnr) ? std::pow(10, -psnr / 20) * 255 : 0);
    }
    result.tables.push_back(std::move(table));
    if (!found.steps.empty()) {
        plot.series.push_back(std::move(series));
        plot.x = {.label = "step", .minimum = 0.5, .maximum = double(found.steps.size()) + 0.5};
        plot.y = axis_over(plot.series, false, false, "RMS (of 255)");
        result.plots.push_back(std::move(plot));
    }
    return result;
}

namespace {

// docs/libraries.md, made from the recipes.

constexpr const char* introduction =
    R"(# How libraries resize

<!-- Generated by make_methods_page from the records in gpu/recipes. Change those and run it again; a test compares. -->

"Bicubic" is a different rule in every library. Each row is a *recipe*: what a named function of a library does, as texelscope
reproduces it, for 8-bit pictures that shrink from 500 to 224 pixels. A recipe is a method like any other:

```
texelscope resize photo.png -o small.png --size 224x224 --method like:pillow/bicubic
texelscope methods like:torch/bicubic:antialias=true     what it stands for
texelscope identify photo.png small.png                  which recipe made a picture
texelscope explain photo.png --from like:pillow/bicubic --to like:opencv/cubic --size 224x224
```

- *Alignment*: the position that pixel i reads. centers: (i + ½)·n/N − ½; corners: i·(n − 1)/(N − 1); asymmetric: i·n/N.
- *Antialiasing*: on, where weights are widened by n/N.
- *Edges*: an address mode, which extends the image, or *normalise*: taps beyond the image are left out and the others sum to 1.
- *Rounding*: what happens to sums between and after the two passes; fixed-point weights have so many bits.
- *Bound*: what was tested against the library itself, in the versions named.

)";

// 8 bits, as a photograph for a network; by a function for whole factors alone, to half the size.
ResizeRule usual_rule(const BoundRecipe& recipe) {
    const ResizedAxis shrunk{.samples = 500, .pixels = 224, .first = 0, .count = 224},
        halved{.samples = 500, .pixels = 250, .first = 0, .count = 250};
    const ResizedAxis& usual = recipe.refusal(shrunk, shrunk).empty() ? shrunk : halved;
    return recipe.rule(RecipeType::u8, 1, false, usual, usual);
}

std::string cell(std::string text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += "\\";
        escaped += c;
    }
    return escaped;
}

std::string options_words(const Recipe& recipe) {
    std::vector<std::string> words;
    for (const RecipeOption& option : recipe.options)
        words.push_back(option.values.empty() ? fmt::format("`{}` = {} ({:g} to {:g}): {}", option.id, option.standard,
                                                            option.minimum, option.maximum, option.summary)
                                              : fmt::format("`{}` = {} ({}): {}", option.id, option.standard,
                                                            fmt::join(option.values, ", "), option.summary));
    return fmt::format("{}", fmt::join(words, " "));
}

constexpr const char* given_positions = "positions as they are given";

}  // namespace

std::string libraries_page() {
    std::string page = introduction, library;
    std::string details;
    for (const Recipe& recipe : all_recipes()) {
        if (library != recipe.library) {
            library = recipe.library;
            page += fmt::format(
                "\n## {}\n\n| recipe | call | alignment | antialiasing | weights | edges | rounding | order |\n"
                "| --- | --- | --- | --- | --- | --- | --- | --- |\n",
                library);
        }
        const std::string name = fmt::format("like:{}/{}", recipe.library, recipe.function);
        const ResizeRule rule = usual_rule(parse_recipe(name));
        const auto of = [&](Ingredient ingredient) { return cell(words(rule, ingredient)); };
        page += fmt::format("| `{}` | `{}` | {} | {} | {} | {} | {} | {} |\n", name, cell(std::string(recipe.call)),
                            recipe.given_positions ? given_positions : of(Ingredient::alignment),
                            of(Ingredient::widening), of(Ingredient::weights), of(Ingredient::edges),
                            of(Ingredient::arithmetic), of(Ingredient::order));
    }
    page +=
        "\n## Bounds and options\n\n| recipe | tried with | bound | not reproduced | options |\n| --- | --- | --- | --- | --- |\n";
    for (const Recipe& recipe : all_recipes())
        page += fmt::format("| `like:{}/{}` | {} | {} | {} | {} |\n", recipe.library, recipe.function,
                            cell(std::string(recipe.versions)), cell(std::string(recipe.bound)),
                            cell(std::string(recipe.unknown)), cell(options_words(recipe)));
    return page;
}

std::string recipe_page(const BoundRecipe& bound) {
    const Recipe& recipe = *bound.recipe;
    std::string page = fmt::format("{}\n\n", bound.text);
    const auto row = [&](std::string_view label, std::string_view text) {
        if (!text.empty()) page += fmt::format("{:<18}{}\n", label, text);
    };
    row("call", recipe.call);
    const ResizeRule rule = usual_rule(bound);
    for (const auto& ingredient : ingredients)
        row(ingredient.name, recipe.given_positions && ingredient.value == Ingredient::alignment
                                 ? given_positions
                                 : words(rule, ingredient.value));
    row("bound", recipe.bound);
    row("tried with", recipe.versions);
    row("not reproduced", recipe.unknown);
    for (const RecipeOption& option : recipe.options)
        row(&option == &recipe.options.front() ? "options" : "",
            fmt::format("{} = {}: {}", option.id, bound.options.text(option.id), option.summary));
    page += "\nOf 8-bit pictures that shrink from 500 to 224 pixels; other sizes and types may have other rules.\n";
    return page;
}

std::string recipes_list() {
    std::string page;
    for (const Recipe& recipe : all_recipes())
        page += fmt::format("{:<36}  {}\n", fmt::format("like:{}/{}", recipe.library, recipe.function), recipe.call);
    return page + "\n\"texelscope methods like:LIBRARY/FUNCTION\" says what a recipe stands for.\n";
}

}  // namespace texelscope
