// The cost of the prefilter: tables 1 and 2 of Champagnat & Le Sant 2011.

#include <array>

#include <fmt/format.h>

#include "app/studies/bench/result.h"
#include "app/studies/experiments/experiment.h"

namespace texelscope {
namespace {

ResultCell here(const BenchReport& report, int side, std::string_view prefilter,
                double Timing::*what = &Timing::median_us) {
    const auto time = paper_prefilter_time(report, side, prefilter);
    return time ? ResultCell(ms_of((*time).*what)) : ResultCell();
}

ResultTable time_table(const BenchReport& report) {
    ResultTable table{.title = "Prefilter (table 1)",
                      .columns = {{"prefilter"},
                                  {"size"},
                                  {"GTX 260M", "ms", 4},
                                  {"Tesla C2050", "ms", 4},
                                  {"here", "ms"},
                                  {"lower quartile", "ms"},
                                  {"upper quartile", "ms"}}};
    for (const PaperPrefilter& row : paper_prefilter_times)
        table.rows.push_back({std::string(row.prefilter), fmt::format("{0}×{0}", row.side), row.gtx260m_ms,
                              row.c2050_ms, here(report, row.side, row.prefilter),
                              here(report, row.side, row.prefilter, &Timing::lower_us),
                              here(report, row.side, row.prefilter, &Timing::upper_us)});
    return table;
}

ResultTable direction_table(const BenchReport& report) {
    ResultTable table{.title = fmt::format("The two directions at {0}×{0} (table 2)", paper_side),
                      .columns = {{"prefilter"},
                                  {"C2050 rows", "ms"},
                                  {"C2050 columns", "ms"},
                                  {"C2050 both", "ms"},
                                  {"both here", "ms"}},
                      .note = "Here both directions are measured together, so there is only one time."};
    for (const PaperDirections& row : paper_directions)
        table.rows.push_back({std::string(row.prefilter), row.row_ms, row.column_ms, row.total_ms,
                              here(report, paper_side, row.prefilter)});
    return table;
}

// One curve of a machine and a prefilter over the sizes of table 1.
template <class Time> Series over_sides(const std::string& name, std::string_view prefilter, Ink ink, Time time) {
    Series series{.name = name, .style = prefilter == "iir" ? Series::Style::dashed : Series::Style::line, .ink = ink};
    for (const PaperPrefilter& row : paper_prefilter_times)
        if (row.prefilter == prefilter) {
            series.x.push_back(row.side);
            series.y.push_back(time(row));
        }
    return series;
}

Plot time_plot(const BenchReport& report) {
    Plot plot{.title = "Time of the prefilter", .width = 640, .height = 400};
    for (const char* prefilter : paper_prefilters) {
        const auto named = [&](const char* machine) { return fmt::format("{}, {}", machine, prefilter); };
        plot.series.push_back(over_sides(named("GTX 260M"), prefilter, Ink::grey,
                                         [](const PaperPrefilter& row) { return row.gtx260m_ms; }));
        plot.series.push_back(
            over_sides(named("C2050"), prefilter, Ink::orange, [](const PaperPrefilter& row) { return row.c2050_ms; }));
        plot.series.push_back(over_sides(named("here"), prefilter, Ink::blue, [&](const PaperPrefilter& row) {
            return ms_of(paper_prefilter_time(report, row.side, row.prefilter).value_or(Timing{}).median_us);
        }));
    }
    plot.x = axis_over(plot.series, true, true, "side of the image (samples)");
    plot.x.minimum /= 1.05, plot.x.maximum *= 1.05;
    plot.x.ticks = {{1024, "1024"}, {2048, "2048"}};
    plot.y = axis_over(plot.series, false, true, "time (ms)");
    return plot;
}

// Why the recursive filter takes so many times as long as the convolution.
std::string why_so(double ratio, bool agrees, bool gpu) {
    if (agrees)
        return "a convolution computes each sample independently; a recursive filter has to follow its row in "
               "order";
    if (ratio >= 1) return "neither the convolution's arithmetic nor the recursive filter's order matters much here";
    return gpu ? "the recursive filter here is a different one: its rows and columns are split into chunks that run in "
                 "parallel, and it has a fifth of the arithmetic"
               : "a processor has few threads to keep busy, so the filter with a fifth of the arithmetic wins";
}

void run(const ExperimentOptions&, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
         ExperimentResult& result) {
    BenchPlan plan;
    plan.sections = {BenchSection::paper};
    plan.pattern = "paper/prefilter-[12]0*";  // 1024 and 2048
    const BenchReport report = run_cases(plan, backend, progress, result);
    result.tables = {time_table(report), direction_table(report)};
    result.plots = {time_plot(report)};
    result.verdicts = prefilter_cost_verdicts(report);
}

}  // namespace

std::vector<Verdict> prefilter_cost_verdicts(const BenchReport& report) {
    using enum Verdict::Outcome;
    std::vector<Verdict> verdicts;
    for (const int side : {1024, 2048}) {
        const auto iir = paper_prefilter_time(report, side, "iir"), fir = paper_prefilter_time(report, side, "fir15");
        if (!iir || !fir) continue;
        const double published = side == 1024 ? paper_prefilter_times[0].c2050_ms / paper_prefilter_times[1].c2050_ms
                                              : paper_prefilter_times[2].c2050_ms / paper_prefilter_times[3].c2050_ms;
        const double ratio = iir->median_us / fir->median_us;
        const bool agrees_here = ratio > 1.1;  // beyond a clock's uncertainty
        Verdict verdict{fmt::format("{0}×{0}: fir15 is clearly faster than the recursive filter, which takes {1:.1f} "
                                    "times as long on a C2050",
                                    side, published),
                        fmt::format("the recursive filter takes {}", times_words(ratio)),
                        agrees_here ? agrees : differs,
                        why_so(ratio, agrees_here, report.backend == BackendKind::cuda)};
        open_where_busy(verdict, std::array{*iir, *fir}, quartiles_overlap(*iir, *fir));
        verdicts.push_back(verdict);
    }
    return verdicts;
}

Experiment prefilter_cost_experiment() {
    return {.name = "prefilter-cost",
            .title = "Cost of the prefilter",
            .question = "How long does the prefilter take: recursive, or as a convolution with 15 taps?",
            .expectation =
                "On the GPUs of 2011 the convolution won by a factor of 4 to 16, although it has five times the "
                "arithmetic: it keeps all threads busy. A recursive filter split into chunks may reverse that result.",
            .source = "Champagnat & Le Sant 2011, tables 1 and 2",
            .options = {},
            .run = run};
}

}  // namespace texelscope
