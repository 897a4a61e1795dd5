// Resizing by nearest and linear, CPU against GPU: the table of a widely read article.

#include <array>

#include <fmt/format.h>

#include "app/studies/bench/result.h"
#include "app/studies/experiments/experiment.h"

namespace texelscope {
namespace {

const BenchResult* find(const BenchReport& report, std::string_view method, BackendKind kind, std::string_view work) {
    for (const BenchResult& result : report.results)
        if (result.time && result.work == work && result.backend == kind &&
            short_text(parse_spec(result.method)) == method)
            return &result;
    return nullptr;
}

// On the CPU only for exact weights: the hardware path is an emulation there.
const ArticleRow* published(const BenchResult& result) {
    const MethodSpec spec = parse_spec(result.method);
    if (result.work != "whole-call" || (result.backend == BackendKind::cpu && spec.path == FetchPath::hardware))
        return nullptr;
    for (const ArticleRow& row : article_rows)
        if (spec.method->id == row.method) return &row;
    return nullptr;
}

ResultTable table_of(const BenchReport& report) {
    ResultTable table{.title = fmt::format("{}×{} by {}", article_width, article_height, article_factor),
                      .columns = {{"backend"},
                                  {"method"},
                                  {"work"},
                                  {"time", "ms"},
                                  {"lower quartile", "ms"},
                                  {"upper quartile", "ms"},
                                  {"published", "ms"}},
                      .note =
                          "\"whole-call\" includes uploading the image and reading the result back; \"render\" is only "
                          "the interpolation, with the image already on the device."};
    for (const BenchResult& result : report.results) {
        if (!result.time) continue;
        const ArticleRow* row = published(result);
        const bool gpu = result.backend == BackendKind::cuda;
        table.rows.push_back({std::string(name_of(result.backend)), short_text(parse_spec(result.method)), result.work,
                              ms_of(result.time->median_us), ms_of(result.time->lower_us), ms_of(result.time->upper_us),
                              row ? ResultCell(gpu ? row->cuda_ms : row->cpu_ms) : ResultCell()});
    }
    return table;
}

// A dot for each whole call, the methods side by side.
Plot plot_of(const BenchReport& report) {
    Plot plot{.title = "A whole call", .width = 560, .height = 360};
    for (const BackendKind kind : {BackendKind::cpu, BackendKind::cuda}) {
        const bool gpu = kind == BackendKind::cuda;
        Series here{.name = fmt::format("here, {}", name_of(kind)),
                    .style = Series::Style::dots,
                    .ink = gpu ? Ink::green : Ink::blue};
        Series theirs{.name = fmt::format("published, {}", name_of(kind)),
                      .style = Series::Style::dots,
                      .ink = gpu ? Ink::brown : Ink::orange};
        for (size_t k = 0; k < article_rows.size(); ++k) {
            theirs.x.push_back(double(k) + 0.1);
            theirs.y.push_back(gpu ? article_rows[k].cuda_ms : article_rows[k].cpu_ms);
            if (const BenchResult* result = find(report, article_rows[k].method, kind, "whole-call")) {
                here.x.push_back(double(k) - 0.1);
                here.y.push_back(ms_of(result->time->median_us));
            }
        }
        if (!here.x.empty()) plot.series.push_back(here);
        plot.series.push_back(theirs);
    }
    plot.x = {.label = "method", .minimum = -0.5, .maximum = double(article_rows.size()) - 0.5};
    for (size_t k = 0; k < article_rows.size(); ++k)
        plot.x.ticks.push_back({double(k), std::string(article_rows[k].method)});
    plot.y = axis_over(plot.series, false, true, "time (ms)");
    return plot;
}

void add_verdicts(const BenchReport& report, ExperimentResult& result) {
    using enum Verdict::Outcome;
    for (const ArticleRow& row : article_rows) {
        const BenchResult* cpu = find(report, row.method, BackendKind::cpu, "whole-call");
        const BenchResult* gpu = find(report, row.method, BackendKind::cuda, "whole-call");
        Verdict verdict{.expected = fmt::format("{}: a whole call is faster on the GPU; published: {:.1f} times",
                                                row.method, row.cpu_ms / row.cuda_ms),
                        .found = "no GPU was used here",
                        .why = "this needs an NVIDIA GPU and --backend cuda"};
        if (cpu && gpu) {
            const double ratio = cpu->time->median_us / gpu->time->median_us;
            verdict.found = fmt::format("on the CPU it takes {}", times_words(ratio));
            verdict.outcome = ratio > 1 ? agrees : differs;
            verdict.why = ratio > 1
                              ? "thousands of cores save more time than the copies there and back take"
                              : "with vector instructions and threads, the CPU resizes so small an image before it "
                                "could be copied to the GPU and back";
            open_where_busy(verdict, std::array{*cpu->time, *gpu->time}, quartiles_overlap(*cpu->time, *gpu->time));
        }
        result.verdicts.push_back(verdict);
    }
    const BenchResult* nearest = find(report, "nearest", BackendKind::cpu, "whole-call");
    const BenchResult* linear = find(report, "bilinear", BackendKind::cpu, "whole-call");
    if (nearest && linear) {
        const double ratio = linear->time->median_us / nearest->time->median_us;
        const bool longer = ratio > 1.1;
        Verdict verdict{
            fmt::format("On the CPU linear takes longer than nearest, by at least a tenth; published: {:.1f} times",
                        article_rows[1].cpu_ms / article_rows[0].cpu_ms),
            times_words(ratio), longer ? agrees : differs,
            longer ? "four samples and three products per pixel instead of one sample"
                   : "with vector instructions, both are negligible beside copying and distributing the work"};
        open_where_busy(verdict, std::array{*nearest->time, *linear->time},
                        longer && quartiles_overlap(*nearest->time, *linear->time));
        result.verdicts.push_back(verdict);
    }
}

void run(const ExperimentOptions&, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
         ExperimentResult& result) {
    BenchPlan plan;
    plan.sections = {BenchSection::resize};
    const BenchReport report = run_cases(plan, backend, progress, result);
    result.tables = {table_of(report)};
    result.plots = {plot_of(report)};
    add_verdicts(report, result);
}

}  // namespace

Experiment resize_cost_experiment() {
    return {.name = "resize-cost",
            .title = "Resizing on CPU and GPU",
            .question = "Is resizing a small image faster on the GPU, including the copies there and back?",
            .expectation =
                "As published, the GPU won by a factor of 1.7 for nearest and 10.9 for linear, against plain loops on "
                "the CPU. Against vector instructions and threads it may lose.",
            .source = "the fifth document of docs/sources.md, its table",
            .options = {},
            .run = run};
}

}  // namespace texelscope
