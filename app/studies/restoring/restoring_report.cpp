// The report of restoring, as plain data: texts, table, plot, panes and settings.

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/drawing/canvas.h"
#include "app/files/reading/image_files.h"
#include "app/state/scene.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "gpu/display/display.h"

namespace texelscope {
namespace {

constexpr int pane_side = 480;       // pixels of a magnified pane at most
constexpr double least_cost = 1e-4;  // on the plot's logarithmic axis

std::string title_of(const RestoringPlan& plan) {
    Document document;
    document.source = words_of_source(plan.source);
    return fmt::format("Which method is best for {}?", document.title());
}

std::string answer(const RestoringResult& result) {
    const std::string text = verdict(result);
    const std::string front = front_words(result), displacement = displacement_words(result.methods);
    return fmt::format("{}{}{}{}{}", text, front.empty() ? "" : " ", front, displacement.empty() ? "" : " ",
                       displacement);
}

ResultTable table_of(const RestoringResult& result) {
    ResultTable table{.title = "Methods, the best first"};
    const std::vector<RestoredColumn> columns = restored_columns(result);
    for (const RestoredColumn& column : columns) table.columns.push_back({column.name, column.unit, column.digits});
    table.columns.push_back({"front"});
    const std::vector<bool> front = on_the_front(result.methods, Cost::fetches, result.plan.judges.front());
    for (size_t k = 0; k < result.methods.size(); ++k) {
        auto& row = table.rows.emplace_back();
        for (const RestoredColumn& column : columns) {
            if (column.value) row.emplace_back(column.value(result.methods[k]));
            else row.emplace_back(column.text(result.methods[k]));
        }
        row.emplace_back(std::string(front[k] ? "●" : ""));
    }
    table.note = fmt::format(
        "Figures against {}, over {}; PSNR of all is over all pixels. The time is of one rendering of the whole "
        "picture, without upload and prefilter. ● no other method is closer with as few fetches.",
        reference_name(result.plan.restoration), measured_words(result));
    if (const std::string busy = busy_words(result.methods); !busy.empty()) table.note += " " + busy;
    return table;
}

Image magnified(const Image& picture) {
    const int times = std::max(1, pane_side / std::max(picture.width(), picture.height()));
    Canvas canvas(picture.width() * times, picture.height() * times, {});
    canvas.picture(0, 0, picture, times);
    return canvas.take();
}

std::vector<ResultPicture> pictures_of(const RestoringResult& result) {
    std::vector<ResultPicture> pictures;
    if (!result.spot) return pictures;
    for (const SheetPane& pane : restored_panes(result)) {
        std::string caption = spot_words(result);
        if (pane.against.tells != Against::Tells::nothing)
            caption = fmt::format("{} dB · SSIM {} · {}", psnr_text(pane.metrics->psnr), ssim_text(pane.metrics->ssim),
                                  time_text(pane.milliseconds));
        pictures.push_back({fmt::format("{} · {}", pane.badge, pane.label), caption, magnified(pane.picture)});
    }
    return pictures;
}

// With its settings only if the method alone does not name it.
std::string point_name(const RestoredMethod& method, const std::vector<RestoredMethod>& methods) {
    const auto same = [&](const RestoredMethod& other) { return other.spec.method == method.spec.method; };
    return std::count_if(methods.begin(), methods.end(), same) > 1 ? words(method.spec)
                                                                   : std::string(method.spec.method->name);
}

// As it is plotted: a PSNR that is not counted as less than it is.
double quality_of(const RestoredMethod& method, Judge judge) {
    return more_is_better(judge) ? merit_of(method, judge) : -merit_of(method, judge);
}

std::string point_words(const RestoredMethod& method, Judge judge, std::string_view reference) {
    const std::string quality = judge == Judge::psnr ? fine_psnr_text(method.inside.metrics.psnr) + " dB"
                                                     : fmt::format("{} {}", row_of(judge).label(),
                                                                   figure_text(judge, figure_of(method, judge)));
    return fmt::format("{} against {}\n{:.3g} fetches per pixel\n{}", quality, reference, method.fetches,
                       time_text(method.milliseconds));
}

// The indices of the methods that a plot can show, by cost, as plots on a screen need it.
std::vector<size_t> by_cost(const std::vector<RestoredMethod>& methods, Cost cost, Judge judge) {
    std::vector<size_t> order;
    for (size_t k = 0; k < methods.size(); ++k)
        if (std::isfinite(merit_of(methods[k], judge) + cost_of(methods[k], cost))) order.push_back(k);
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        return std::pair(cost_of(methods[a], cost), merit_of(methods[a], judge)) <
               std::pair(cost_of(methods[b], cost), merit_of(methods[b], judge));
    });
    return order;
}

// Whole numbers of fetches are few and have a meaning: 16 is 4 × 4.
std::vector<Tick> ticks_at(const std::vector<RestoredMethod>& methods) {
    std::set<double> counts;
    for (const RestoredMethod& method : methods)
        if (!std::isnan(method.fetches)) counts.insert(method.fetches);
    std::vector<Tick> ticks;
    for (const double count : counts) {
        if (count != std::floor(count) || counts.size() > 8) return {};
        ticks.push_back({count, fmt::format("{:.0f}", count)});
    }
    return ticks;
}

}  // namespace

double cost_of(const RestoredMethod& method, Cost cost) {
    return cost == Cost::time ? method.milliseconds : method.fetches;
}

std::vector<bool> on_the_front(const std::vector<RestoredMethod>& methods, Cost cost, Judge judge) {
    const auto beats = [=](const RestoredMethod& a, const RestoredMethod& b) {
        const double merit_a = merit_of(a, judge), merit_b = merit_of(b, judge);
        const double cost_a = cost_of(a, cost), cost_b = cost_of(b, cost);
        return merit_a >= merit_b && cost_a <= cost_b && (merit_a > merit_b || cost_a < cost_b);
    };
    std::vector<bool> front;
    for (const RestoredMethod& method : methods)
        front.push_back(!std::isnan(merit_of(method, judge)) && !std::isnan(cost_of(method, cost)) &&
                        std::none_of(methods.begin(), methods.end(),
                                     [&](const RestoredMethod& other) { return beats(other, method); }));
    return front;
}

std::string front_words(const RestoringResult& result) {
    const std::vector<RestoredMethod>& methods = result.methods;
    const Judge judge = result.plan.judges.front();
    const std::vector<bool> front = on_the_front(methods, Cost::fetches, judge);
    std::vector<std::string> names;
    for (size_t k = methods.size(); k-- > 0;) {  // the worst and cheapest first
        // Methods with equal figures are one method under two names.
        const bool known = std::any_of(methods.begin(), methods.begin() + std::ptrdiff_t(k), [&](const auto& other) {
            return merit_of(other, judge) == merit_of(methods[k], judge) && other.fetches == methods[k].fetches;
        });
        if (front[k] && !known) names.push_back(name_among(methods[k], methods));
    }
    std::string text;
    for (size_t k = 0; k < names.size(); ++k) text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
    if (text.empty()) return text;
    return fmt::format("Closer to {} {}than anything with as few fetches: {}.", reference_name(result.plan.restoration),
                       judge == Judge::psnr ? "" : fmt::format("by {} ", row_of(judge).label()), text);
}

std::optional<Plot> quality_plot(const RestoringResult& result, Cost cost) {
    const bool time = cost == Cost::time;
    const Judge judge = result.plan.judges.front();
    const std::vector<bool> front = on_the_front(result.methods, cost, judge);
    const std::string_view reference = reference_name(result.plan.restoration);
    Series line{.style = Series::Style::dashed, .ink = Ink::grey};
    Series others{.name = "other methods", .style = Series::Style::dots, .ink = Ink::grey};
    Series best{.name = time ? "no other is closer and faster" : "no other is closer with as few fetches",
                .style = Series::Style::dots,
                .labelled = true};
    double low = INFINITY, high = -INFINITY;
    for (const size_t k : by_cost(result.methods, cost, judge)) {
        const RestoredMethod& method = result.methods[k];
        const double quality = quality_of(method, judge), at = std::max(cost_of(method, cost), least_cost);
        low = std::min(low, quality);
        high = std::max(high, quality);
        Series& series = front[k] ? best : others;
        const bool in_verdict = k == 0 || &method == other_of_verdict(result.methods);
        series.words.push_back({point_name(method, result.methods), point_words(method, judge, reference), in_verdict});
        for (Series* one : {&series, front[k] ? &line : nullptr})
            if (one) one->x.push_back(at), one->y.push_back(quality);
    }
    if (low > high) return {};
    Plot plot{.title = time ? "Quality against time" : "Quality against fetches", .width = 640, .height = 420};
    plot.series = {line, others, best};
    if (others.x.empty()) plot.series.erase(plot.series.begin() + 1);
    plot.x = axis_over(plot.series, true, true, time ? "time of one rendering (ms)" : "fetches per pixel");
    plot.x.minimum /= 1.2;
    plot.x.maximum *= 1.2;
    if (!time) plot.x.ticks = ticks_at(result.methods);
    // More where names stand, two lines of them above the best.
    const double room = std::max(judge == Judge::psnr ? 0.05 : 1e-6, 0.12 * (high - low));
    plot.y = {.label = fmt::format("{} against {}{}", row_of(judge).label(), reference,
                                   judge == Judge::psnr    ? " (dB)"
                                   : more_is_better(judge) ? ""
                                                           : ", less is better"),
              .minimum = low - 1.5 * room,
              .maximum = high + 2.5 * room};
    return plot;
}

std::string command_words(const RestoringPlan& plan, BackendKind backend) {
    std::string text = fmt::format("texelscope compare \"{}\" --restore {}", plan.source, to_string(plan.restoration));
    if (plan.restoration.kind == Restoration::Kind::shrink)
        text += fmt::format(" --shrink-with {}{}", to_string(plan.restoration.filter),
                            plan.restoration.antialias ? "" : " --antialias off");
    if (plan.light == Light::linear) text += " --linear-light";
    if (plan.judges != std::vector{Judge::psnr}) {
        text += fmt::format(" --judge {}", fmt::join(names_of<Judge>(plan.judges), ","));
        if (plan.pixels_per_degree != usual_pixels_per_degree)
            text += fmt::format(" --pixels-per-degree {}", plan.pixels_per_degree);
    }
    std::string panes;
    for (const MethodSpec& spec : plan.specs) panes += (panes.empty() ? "" : "; ") + to_string(spec);
    return text + fmt::format(" --panes \"{}\" --backend {}", panes, name_of(backend));
}

bool is_confirmed(std::vector<double> times) {
    constexpr size_t agreeing = 3;
    constexpr double as_fast = 1.1;
    if (times.size() < agreeing) return false;
    std::partial_sort(times.begin(), times.begin() + agreeing, times.end());
    return times[agreeing - 1] <= as_fast * times[0];
}

TimedRuns timed(std::vector<double> times) {
    if (times.empty()) return {};
    std::sort(times.begin(), times.end());
    const size_t half = times.size() / 2;
    const double median = times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
    return {times[0], times[0] > 0 ? median / times[0] : 1};
}

std::string displacement_words(const std::vector<RestoredMethod>& methods) {
    std::string text;
    for (const RestoredMethod& method : methods) {
        if (!method.displacement || !method.displacement->matters()) continue;
        const Displacement& a = *method.displacement;
        std::string what;
        const auto add = [&](double value, double least, const char* more, const char* less) {
            if (std::abs(value) >= least)
                what += fmt::format("{}{:.2f} pixels {}", what.empty() ? "" : ", ", std::abs(value),
                                    value > 0 ? more : less);
        };
        add(a.right, 0.05, "to the right", "to the left");
        add(a.down, 0.05, "down", "up");
        add(2 * a.wider, 0.2, "too wide", "too narrow");
        add(2 * a.higher, 0.2, "too high", "too low");
        text += fmt::format("{}{} is not where the original is: about {}; figures count that as an error.",
                            text.empty() ? "" : " ", capitalised(std::string(method.spec.method->name)), what);
    }
    return text;
}

std::string busy_words(const std::vector<RestoredMethod>& methods) {
    constexpr double plainly = 1.5, share = 0.25;
    double most = 1;
    size_t slowed = 0;
    for (const RestoredMethod& method : methods) {
        slowed += method.slowed >= plainly;
        most = std::max(most, method.slowed);
    }
    if (slowed == 0 || double(slowed) < share * double(methods.size())) return "";
    return fmt::format("The machine was busy: runs took up to {:.1f} times the time shown.", most);
}

ExperimentResult restoring_report(const RestoringResult& result) {
    const RestoringPlan& plan = result.plan;
    ExperimentResult report;
    report.experiment = "restoring";
    report.title = title_of(plan);
    report.question = fmt::format("It was {}. Each method restored it, and the result was compared with the original.",
                                  done_words(plan));
    report.expectation = answer(result);
    report.tables = {table_of(result)};
    for (const Cost cost : {Cost::fetches, Cost::time})
        if (std::optional<Plot> plot = quality_plot(result, cost)) report.plots.push_back(std::move(*plot));
    report.pictures = pictures_of(result);
    const BackendInfo& info = result.backend;
    report.facts = {{"program", "texelscope " TEXELSCOPE_VERSION},
                    {"backend", std::string(name_of(info.kind))},
                    {"device", info.detail.empty() ? info.device : fmt::format("{}, {}", info.device, info.detail)},
                    {"image", fmt::format("{}, {}", words_of_source(plan.source), describe(*plan.picture()))},
                    {"done", done_words(plan)},
                    {"measured", measured_words(result)},
                    {"took", fmt::format("{:.3g} s", result.seconds)},
                    {"command", command_words(plan, info.kind)}};
    if (plan.whole || !plan.outside.empty()) report.facts.pop_back();  // it restores whole pictures, by our methods
    return report;
}

namespace {

constexpr double small_samples = 24;
constexpr int least_crop_side = 64, usual_crop_side = 96, most_crop_side = 240;  // pixels

int side_of(const Restoration& restoration) {
    if (restoration.kind != Restoration::Kind::shrink) return usual_crop_side;
    return int(
        std::clamp(std::round(small_samples * restoration.factor), double(least_crop_side), double(most_crop_side)));
}

// The first of `side` pixels around one of n.
int first_around(int pixel, int side, int n) { return std::clamp((pixel < 0 ? n / 2 : pixel) - side / 2, 0, n - side); }

// The largest finite value of an image, at least 1; exactly 1 for normalised integers.
float largest_value(const Image& image) {
    float largest = 1;
    if (is_normalised(image.type())) return largest;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < image.channels(); ++c)
                if (const float value = image.value(x, y, c); std::isfinite(value)) largest = std::max(largest, value);
    return largest;
}

}  // namespace

WorstSpot spot_around(Extent size, const Restoration& restoration, int worst_x, int worst_y) {
    const int side = side_of(restoration);
    WorstSpot spot;
    spot.size = {std::min(side, size.width), std::min(side, size.height)};
    spot.x = first_around(worst_x, spot.size.width, size.width);
    spot.y = first_around(worst_y, spot.size.height, size.height);
    return spot;
}

Image shown(const Image& values, const Image& original) {
    Image pixels(values.width(), values.height(), 4, SampleType::u8);
    DisplayJob job;
    job.shown = {values.data()};
    job.width = values.width();
    job.height = values.height();
    job.channels = values.channels();
    job.has_alpha = values.alpha() != Alpha::none;
    job.display.exposure = -std::log2(largest_value(original));
    job.pixels = reinterpret_cast<uint32_t*>(pixels.data());
    job.row_bytes = pixels.row_bytes();
    display_rows(job, 0, job.height);
    return pixels;
}

}  // namespace texelscope
