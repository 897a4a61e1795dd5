// Reports of identifying and explaining, as plain data, and what a measured response is nearest to.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

constexpr size_t listed_recipes = 24;

bool has_whole_levels(const Identification& found) {
    return found.type == SampleType::u8 || found.type == SampleType::u16;
}

std::string decibels(double psnr) { return std::isfinite(psnr) ? fmt::format("{:.2f}", psnr) : "∞"; }

std::string size_words(Extent size) { return fmt::format("{}×{}", size.width, size.height); }

// A measured response at a distance, linear between its values.
double value_at(const MeasuredResponse& response, double distance) {
    const auto& at = response.distance;
    if (at.size() < 2 || distance < at.front() || distance > at.back()) return 0;
    const double place = (distance - at.front()) / (at[1] - at[0]);
    const size_t k = std::min(size_t(place), at.size() - 2);
    return response.value[k] + (place - double(k)) * (response.value[k + 1] - response.value[k]);
}

using Function = std::function<double(double)>;

Function weights_stretched(const MethodInfo& method, const MethodParameters& parameters, double stretch) {
    if (stretch > 1) return widened_function(method, parameters);
    return [&method, parameters](double x) { return method.weight(x, parameters); };
}

double difference(const MeasuredResponse& response, const Function& weight, double radius, double stretch) {
    double largest = 0, peak = 0;
    for (size_t k = 0; k < response.distance.size(); ++k) {
        const double distance = response.distance[k] / stretch;
        const double wanted = std::abs(distance) <= radius ? weight(distance) / stretch : 0;
        peak = std::max(peak, std::abs(wanted));
        largest = std::max(largest, std::abs(response.value[k] - wanted));
    }
    return largest / std::max(peak, 1e-12);
}

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
        const MethodSpec spec = parse_spec(measured.x.name);
        const auto weight = weights_stretched(*spec.method, spec.parameters, measured.x.stretch);
        Series nearest{.name = measured.x.name, .ink = Ink::green};
        for (const double distance : x.distance) {
            nearest.x.push_back(distance);
            nearest.y.push_back(weight(distance / measured.x.stretch) / measured.x.stretch);
        }
        plot.series.push_back(std::move(nearest));
    }
    plot.x = axis_over(plot.series, true, false, "sample − position (samples)");
    plot.y = axis_over(plot.series, false, false, "weight");
    plot.x.minimum = x.distance.front();
    plot.y.minimum = *std::min_element(x.value.begin(), x.value.end()) - 0.05;
    return plot;
}

}  // namespace

NearestWeights nearest_weights(const MeasuredResponse& response) {
    NearestWeights best{.name = {}, .stretch = 1, .error = INFINITY};
    const double step = response.line.step;
    for (const MethodInfo* method : all_methods()) {
        if (!method->weight || !method->poles.empty()) continue;
        const MethodParameters parameters = method->standard_parameters();
        for (const double stretch : {1.0, std::max(1.0, step)}) {
            const double error = difference(response, weights_stretched(*method, parameters, stretch),
                                            method->taps / 2.0, stretch);
            if (error < best.error) best = {std::string(method->id), stretch, error};
        }
    }
    return best;
}

std::string weights_text_of(const MeasuredResponse& response, double stretch) {
    // Even by construction: what is odd is a shift, which positions are for.
    const auto even = [&](double x) {
        return (value_at(response, x * stretch) + value_at(response, -x * stretch)) / 2 * stretch;
    };
    double peak = 0, reach = 0.5;
    for (double x = 0; x < 4.5; x += 1.0 / 32) peak = std::max(peak, std::abs(even(x)));
    for (double x = 0; x < 4.5; x += 1.0 / 32)
        if (std::abs(even(x)) > 2e-3 * peak) reach = x + 1.0 / 32;
    const int pieces = std::max(1, int(std::ceil(2 * reach - 0.2)));
    std::string formula;
    for (int piece = 0; piece < pieces; ++piece) {
        // The cubic through four points of the piece.
        const double from = piece * 0.5;
        double y[4];
        for (int k = 0; k < 4; ++k) y[k] = even(from + k / 6.0);
        const double c1 = (-11 * y[0] + 18 * y[1] - 9 * y[2] + 2 * y[3]) / 6,
                     c2 = (2 * y[0] - 5 * y[1] + 4 * y[2] - y[3]) / 2, c3 = (-y[0] + 3 * y[1] - 3 * y[2] + y[3]) / 6;
        const std::string u = fmt::format("(6*abs(x)-{})", 3 * piece);
        if (piece + 1 < pieces) formula += fmt::format("abs(x) < {:g} ? ", from + 0.5);
        formula += fmt::format("{:.6f}+{}*({:.6f}+{}*({:.6f}+{}*({:.6f})))", y[0], u, c1, u, c2, u, c3);
        if (piece + 1 < pieces) formula += " : ";
    }
    return fmt::format(
        "# Measured from a picture and its result.\nname = Measured\nradius = {:g}\nnormalise = yes\n"
        "prefilter = none\nw(x) = {}\n",
        pieces * 0.5, formula);
}

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
    for (size_t k = 0; k < std::min(listed_recipes, found.ranked.size()); ++k) {
        const RankedRecipe& ranked = found.ranked[k];
        std::string name = ranked.recipe.text;
        if (!ranked.same.empty()) name += fmt::format(" (and {} more)", ranked.same.size());
        ResultCell psnr = ranked.closeness.psnr;
        if (!std::isfinite(ranked.closeness.psnr)) psnr = std::string("∞");
        table.rows.push_back({name, std::string(name_of(ranked.match)), ranked.closeness.largest, ranked.closeness.mean,
                              100 * ranked.closeness.equal, psnr});
    }
    table.note =
        fmt::format("Of {} different pictures that the recipes make. Bounds of each recipe: docs/libraries.md.",
                    found.ranked.size());
    result.tables.push_back(std::move(table));
    if (found.measured) result.plots.push_back(response_plot(*found.measured));
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

}  // namespace texelscope
