#include "app/studies/experiments/costs.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/studies/bench/bench.h"

namespace texelscope {
namespace {

constexpr double most_spread = 0.5;  // relative to the median, between the quartiles of a usable time

double spread(const Timing& time) { return (time.upper_us - time.lower_us) / time.median_us; }

}  // namespace

BenchReport run_cases(const BenchPlan& plan, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
                      ExperimentResult& result) {
    const std::vector<BenchCase> cases = bench_cases(plan, backend->info());
    progress.step(0, int(cases.size()), "measuring copy speed");
    const BenchReport report = run_bench(
        backend, plan, [&](size_t done, size_t total) { progress.step(int(done), int(total), cases[done].name()); });
    result.facts.emplace_back("copy", fmt::format("{:.3g} GB/s, read and written", report.copy_gigabytes_per_second()));
    result.facts.emplace_back("times", "medians, on the backend's clock; uploads are not included");
    return report;
}

Timing together(const Timing& a, const Timing& b) {
    return {a.median_us + b.median_us, a.lower_us + b.lower_us, a.upper_us + b.upper_us, std::min(a.batches, b.batches),
            std::min(a.repeats, b.repeats)};
}

bool quartiles_overlap(const Timing& a, const Timing& b) {
    return a.lower_us <= b.upper_us && b.lower_us <= a.upper_us;
}

void open_where_busy(Verdict& verdict, std::span<const Timing> times, bool unclear) {
    double most = 0;
    for (const Timing& time : times) most = std::max(most, spread(time));
    if (most <= most_spread && !unclear) return;
    verdict.outcome = Verdict::Outcome::open;
    verdict.why = fmt::format("the machine is busy: the quartiles are {:.0f} % of the median apart{}", 100 * most,
                              unclear ? ", too far to decide" : "");
}

std::string times_words(double ratio) {
    return ratio >= 1 ? fmt::format("{:.3g} times as long", ratio) : fmt::format("1/{:.2g} of the time", 1 / ratio);
}

}  // namespace texelscope
