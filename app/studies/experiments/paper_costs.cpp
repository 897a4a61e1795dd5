// Costs that Champagnat & Le Sant published in 2011: of the prefilter, tables 1 and 2; of a B-spline relative to bilinear, by
// zoom, table 3.

#include <algorithm>
#include <array>
#include <cmath>

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

void run_prefilter_cost(const ExperimentOptions&, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
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
            .run = run_prefilter_cost};
}

namespace {

Timing total(const PaperCost& cost) { return together(cost.prefiltering, cost.interpolation); }

double total_ms(const PaperCost& cost) { return ms_of(total(cost).median_us); }

// The prefilter's share of both.
double share(const PaperCost& cost) { return cost.prefiltering.median_us / total(cost).median_us; }

// The fastest path of a view and a prefilter; null if it was not measured.
const PaperCost* best(const std::vector<PaperCost>& costs, const PaperView& view, std::string_view prefilter) {
    const PaperCost* found = nullptr;
    for (const PaperCost& cost : costs)
        if (cost.view == &view && cost.prefilter == prefilter && (!found || total_ms(cost) < total_ms(*found)))
            found = &cost;
    return found;
}

ResultTable table_of(const std::vector<PaperCost>& costs) {
    ResultTable table{.title = "Prefilter and interpolation against bilinear (table 3)",
                      .columns = {{"view"},
                                  {"prefilter"},
                                  {"path"},
                                  {"bilinear", "ms"},
                                  {"prefilter", "ms"},
                                  {"interpolation", "ms"},
                                  {"both", "ms"},
                                  {"both over bilinear"},
                                  {"C2050 both", "ms"},
                                  {"C2050 over bilinear"},
                                  {"bilinear, lower quartile", "ms"},
                                  {"upper quartile", "ms"},
                                  {"both, lower quartile", "ms"},
                                  {"upper quartile", "ms"}},
                      .note =
                          "Bilinear uses its faster path. The quartiles of both are the sums of the quartiles of "
                          "the two parts."};
    for (const PaperCost& cost : costs)
        table.rows.push_back({std::string(cost.view->name), cost.prefilter, cost.path, ms_of(cost.bilinear.median_us),
                              ms_of(cost.prefiltering.median_us), ms_of(cost.interpolation.median_us), total_ms(cost),
                              cost.ratio(), cost.prefilter == "iir" ? cost.view->iir_ms : cost.view->fir15_ms,
                              cost.published_ratio, ms_of(cost.bilinear.lower_us), ms_of(cost.bilinear.upper_us),
                              ms_of(total(cost).lower_us), ms_of(total(cost).upper_us)});
    return table;
}

Plot plot_of(const std::vector<PaperCost>& costs) {
    Plot plot{.title = "Cubic B-spline over bilinear", .width = 640, .height = 400};
    for (const char* prefilter : paper_prefilters) {
        Series here{.name = fmt::format("here, {}", prefilter),
                    .ink = prefilter == std::string("iir") ? Ink::orange : Ink::blue};
        Series published{.name = fmt::format("C2050, {}", prefilter), .style = Series::Style::dashed, .ink = here.ink};
        for (size_t k = 0; k < paper_views.size(); ++k) {
            const PaperCost* cost = best(costs, paper_views[k], prefilter);
            here.x.push_back(double(k));
            here.y.push_back(cost ? cost->ratio() : std::nan(""));
            published.x.push_back(double(k));
            published.y.push_back((prefilter == std::string("iir") ? paper_views[k].iir_ms : paper_views[k].fir15_ms) /
                                  paper_views[k].bilinear_ms);
        }
        plot.series.push_back(here);
        plot.series.push_back(published);
    }
    plot.x = {.label = "view", .minimum = -0.2, .maximum = double(paper_views.size()) - 0.8};
    for (size_t k = 0; k < paper_views.size(); ++k)
        plot.x.ticks.push_back({double(k), std::string(paper_views[k].name)});
    plot.y = axis_over(plot.series, false, false, "time over bilinear's");
    plot.guides = {{Guide::Across::y, 1, ""}, {Guide::Across::y, 2, ""}};
    return plot;
}

// Whether its times show on which side of `limit` the ratio is.
bool is_clear_of(const PaperCost& cost, double limit) {
    const Timing both = total(cost);
    return both.lower_us > limit * cost.bilinear.upper_us || both.upper_us < limit * cost.bilinear.lower_us;
}

// Filtering a sample takes no more than ten times the interpolation of a pixel (on a C2050 six), and the few samples
// left at ×4 and beyond take no longer than all pixels. More is waiting, however steady it is.
void open_where_waiting(Verdict& verdict, const PaperCost& cost) {
    const double times = cost.prefiltering.median_us / cost.interpolation.median_us;
    if (times <= std::max(1.0, 10.0 / (cost.view->zoom * cost.view->zoom))) return;
    verdict.outcome = Verdict::Outcome::open;
    verdict.why = fmt::format(
        "the prefilter's time is dominated by thread or launch overhead: at {} it takes {:.3g} times as long as the "
        "interpolation; try a quieter machine or a larger output",
        cost.view->name, times);
}

Verdict fall_verdict(const PaperCost& first, const PaperCost& last) {
    const bool falls = last.ratio() < first.ratio() && share(last) <= share(first) / 2;
    Verdict verdict{
        "The more you zoom in, the less the prefilter contributes: at ×16 at most half of its share at rotation. On a "
        "C2050 both together take 9.7 times bilinear at rotation, 1.3 at ×16",
        fmt::format("{:.2f} times at rotation, {:.2f} at ×16, of which the prefilter takes {:.0f} % and "
                    "{:.0f} %",
                    first.ratio(), last.ratio(), 100 * share(first), 100 * share(last)),
        falls ? Verdict::Outcome::agrees : Verdict::Outcome::differs,
        falls ? "at ×16 the filtered image has 1/256 of the output's pixels"
              : "at this size, the prefilter's time is dominated by launch overhead"};
    for (const PaperCost* cost : {&first, &last}) open_where_waiting(verdict, *cost);
    open_where_busy(verdict,
                    std::array{first.prefiltering, first.interpolation, first.bilinear, last.prefiltering,
                               last.interpolation, last.bilinear},
                    quartiles_overlap(first.prefiltering, last.prefiltering));
    return verdict;
}

Verdict same_verdict(const PaperCost& iir, const PaperCost& fir) {
    const double apart = std::abs(total_ms(iir) / total_ms(fir) - 1);
    const bool same = apart <= 0.1;
    Verdict verdict{
        "At ×16 both prefilters cost the same, within 10 %", fmt::format("{:.1f} % apart", 100 * apart),
        same ? Verdict::Outcome::agrees : Verdict::Outcome::differs,
        same ? "almost nothing is filtered" : "at this size, the prefilter's time is dominated by launch overhead"};
    for (const PaperCost* cost : {&iir, &fir}) open_where_waiting(verdict, *cost);
    open_where_busy(verdict, std::array{total(iir), total(fir)}, !same && quartiles_overlap(total(iir), total(fir)));
    return verdict;
}

Verdict most_verdict(const PaperCost& most, bool gpu) {
    constexpr double limit = 2.2;
    const char* why = most.ratio() <= limit ? "published: from 1.3 at ×16 to 2.1 at rotation"
                      : gpu ? "published: 1.3 to 2.1; since then bilinear, a single fetch, has gained more than the "
                              "rest"
                            : "published: 1.3 to 2.1 on a GPU; the filter's 30 products per sample cost a processor "
                              "more";
    Verdict verdict{fmt::format("With fir15 it is never more than {:g} times bilinear", limit),
                    fmt::format("{:.2f} times at most, at {}", most.ratio(), most.view->name),
                    most.ratio() <= limit ? Verdict::Outcome::agrees : Verdict::Outcome::differs, why};
    open_where_waiting(verdict, most);
    open_where_busy(verdict, std::array{total(most), most.bilinear}, !is_clear_of(most, limit));
    return verdict;
}

void run_zoom_cost(const ExperimentOptions& options, const std::shared_ptr<Backend>& backend,
                   ExperimentProgress& progress, ExperimentResult& result) {
    BenchPlan plan;
    plan.sections = {BenchSection::paper};
    plan.source = options.integer("side");
    const std::vector<PaperCost> costs = paper_costs(run_cases(plan, backend, progress, result));
    result.tables = {table_of(costs)};
    result.plots = {plot_of(costs)};
    result.verdicts = zoom_cost_verdicts(costs, backend->info().kind == BackendKind::cuda);
    if (*plan.source != paper_side)
        result.facts.emplace_back("published for", fmt::format("an output of {0}×{0}", paper_side));
}

}  // namespace

std::vector<Verdict> zoom_cost_verdicts(const std::vector<PaperCost>& costs, bool gpu) {
    const PaperCost *first = best(costs, paper_views.front(), "iir"), *last = best(costs, paper_views.back(), "iir");
    const PaperCost *last_fir = best(costs, paper_views.back(), "fir15"), *most = last_fir;
    if (!first || !last || !last_fir) return {};
    for (const PaperView& view : paper_views)
        if (const PaperCost* cost = best(costs, view, "fir15"); cost && cost->ratio() > most->ratio()) most = cost;
    return {fall_verdict(*first, *last), same_verdict(*last, *last_fir), most_verdict(*most, gpu)};
}

Experiment zoom_cost_experiment() {
    using Kind = ExperimentOption::Kind;
    return {.name = "zoom-cost",
            .title = "Cost of a B-spline, by zoom",
            .question = "How long do prefilter and interpolation take together, compared with bilinear?",
            .expectation =
                "The output keeps its size while the filtered image shrinks with the zoom, so the cost of the "
                "prefilter fades and that of the interpolation stays. With a FIR prefilter, both together took about "
                "twice as long as bilinear or less.",
            .source = "Champagnat & Le Sant 2011, table 3",
            .options = {{"side", Kind::integer, "Side of the output, in pixels", "2048", 64, 8192, "pixels"}},
            .run = run_zoom_cost};
}

}  // namespace texelscope
