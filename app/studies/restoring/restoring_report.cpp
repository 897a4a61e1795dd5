// The report of restoring, as plain data: texts, table, plot, panes and settings.

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "app/drawing/canvas.h"
#include "app/state/scene.h"
#include "app/studies/experiments/pictures.h"
#include "app/studies/restoring/restored_columns.h"
#include "app/studies/restoring/restoring_reports.h"
#include "app/studies/restoring/spot.h"
#include "app/studies/restoring/verdict.h"
#include "app/text/figures.h"
#include "app/text/spec_words.h"

namespace texelscope {
namespace {

constexpr int pane_side = 480;       // pixels of a magnified pane at most
constexpr double least_time = 1e-4;  // ms, on the plot's logarithmic axis

std::string title_of(const RestoringPlan& plan) {
    Document document;
    document.source = plan.source;
    return fmt::format("Which method is best for {}?", document.title());
}

std::string answer(const RestoringResult& result) {
    const std::string text = verdict(result.plan.restoration, result.methods);
    const std::string front = front_words(result.methods);
    return front.empty() ? text
                         : fmt::format("{} Closer to {} than anything faster: {}.", text,
                                       reference_name(result.plan.restoration), front);
}

ResultTable table_of(const RestoringResult& result) {
    ResultTable table{.title = "Methods, the best first"};
    const std::vector<RestoredColumn> columns = restored_columns(result.plan);
    for (const RestoredColumn& column : columns) table.columns.push_back({column.name, column.unit, column.digits});
    table.columns.push_back({"front"});
    const std::vector<bool> front = on_the_front(result.methods);
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
        "picture, without upload and prefilter. ● no other method is closer and faster.",
        reference_name(result.plan.restoration), words(result.interior));
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

// As plots on a screen need it.
void sort_by_x(Series& series) {
    std::vector<std::pair<double, double>> points;
    for (size_t k = 0; k < series.x.size(); ++k) points.emplace_back(series.x[k], series.y[k]);
    std::sort(points.begin(), points.end());
    for (size_t k = 0; k < points.size(); ++k) std::tie(series.x[k], series.y[k]) = points[k];
}

}  // namespace

std::optional<Plot> quality_plot(const RestoringResult& result) {
    const std::vector<bool> front = on_the_front(result.methods);
    Series line{.name = "none closer and faster", .style = Series::Style::dashed, .ink = Ink::grey};
    Series others{.name = "other methods", .style = Series::Style::dots, .ink = Ink::grey};
    std::vector<Series> best;
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < result.methods.size(); ++k) {
        const RestoredMethod& method = result.methods[k];
        const double psnr = method.inside.metrics.psnr, time = std::max(method.milliseconds, least_time);
        if (!std::isfinite(psnr)) continue;
        low = std::min(low, psnr);
        high = std::max(high, psnr);
        if (front[k])
            best.push_back({.name = method_words(method.spec),
                            .style = Series::Style::dots,
                            .ink = Ink(int(best.size()) % int(Ink::grey))});
        for (Series* series : {front[k] ? &best.back() : &others, front[k] ? &line : nullptr})
            if (series) series->x.push_back(time), series->y.push_back(psnr);
    }
    if (low > high) return {};
    for (Series* series : {&line, &others}) sort_by_x(*series);
    Plot plot{.title = "Quality against cost", .width = 640, .height = 420};
    plot.series = {line, others};
    if (others.x.empty()) plot.series.pop_back();
    plot.series.insert(plot.series.end(), best.begin(), best.end());
    plot.x = axis_over(plot.series, true, true, "time of one rendering (ms)");
    plot.x.minimum /= 1.2;
    plot.x.maximum *= 1.2;
    const double room = std::max(0.05, 0.05 * (high - low));
    plot.y = {.label = fmt::format("PSNR against {} (dB)", reference_name(result.plan.restoration)),
              .minimum = low - room,
              .maximum = high + room};
    return plot;
}

std::string command_words(const RestoringPlan& plan, BackendKind backend) {
    std::string text = fmt::format("texelscope compare \"{}\" --restore {}", plan.source, to_string(plan.restoration));
    if (plan.restoration.kind == Restoration::Kind::shrink)
        text += fmt::format(" --shrink-with {}", to_string(plan.restoration.filter));
    if (plan.light == Light::linear) text += " --linear-light";
    std::string panes;
    for (const MethodSpec& spec : plan.specs) panes += (panes.empty() ? "" : "; ") + to_string(spec);
    return text + fmt::format(" --panes \"{}\" --backend {}", panes, name_of(backend));
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
    if (std::optional<Plot> plot = quality_plot(result)) report.plots.push_back(std::move(*plot));
    report.pictures = pictures_of(result);
    const BackendInfo& info = result.backend;
    report.facts = {{"program", "texelscope " TEXELSCOPE_VERSION},
                    {"backend", std::string(name_of(info.kind))},
                    {"device", info.detail.empty() ? info.device : fmt::format("{}, {}", info.device, info.detail)},
                    {"image", fmt::format("{}, {}", plan.source, describe(*plan.image))},
                    {"done", done_words(plan)},
                    {"measured", words(result.interior)},
                    {"took", fmt::format("{:.3g} s", result.seconds)},
                    {"command", command_words(plan, info.kind)}};
    return report;
}

}  // namespace texelscope
