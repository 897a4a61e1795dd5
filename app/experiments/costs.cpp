#include "app/experiments/costs.h"

#include <fmt/format.h>

#include "app/bench/bench.h"

namespace texelscope {

BenchReport run_cases(const BenchPlan& plan, const std::shared_ptr<Backend>& backend, ExperimentProgress& progress,
                      ExperimentResult& result) {
    const std::vector<BenchCase> cases = bench_cases(plan, backend->info());
    progress.step(0, int(cases.size()), "finding out how fast memory is copied");
    const BenchReport report = run_bench(
        backend, plan, [&](size_t done, size_t total) { progress.step(int(done), int(total), cases[done].name()); });
    result.facts.emplace_back("copy", fmt::format("{:.3g} GB/s, read and written", report.copy_gigabytes_per_second()));
    result.facts.emplace_back("times", "medians, on the backend's clock; uploads are not part of them");
    return report;
}

std::string times_words(double ratio) {
    return ratio >= 1 ? fmt::format("{:.3g} times as long", ratio) : fmt::format("1/{:.2g} of the time", 1 / ratio);
}

}  // namespace texelscope
