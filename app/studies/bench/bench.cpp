#include "app/studies/bench/bench.h"

#include <algorithm>
#include <map>
#include <vector>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/result.h"
#include "gpu/core/stop_watch.h"

namespace texelscope {
namespace {

// The stages of a frame among the results.

// One result per stage, "frame/acquire" and so on; one with the reason if no window can be opened.
void add_frame_results(const BenchPlan& plan, BackendKind kind, std::vector<BenchResult>& results) {
    BenchResult result;
    result.section = BenchSection::frame;
    result.work = "stage";
    result.backend = kind;
    const auto choice = kind == BackendKind::cuda ? BackendChoice::cuda : BackendChoice::cpu;
    try {
        const FrameBench bench =
            measure_frame_stages(choice, plan.width.value_or(3840), plan.height.value_or(2160), plan.quick ? 12 : 60);
        result.width = bench.width;
        result.height = bench.height;
        result.view = bench.rung + ", " + bench.renderer;
        for (const FrameStage& stage : bench.stages) {
            result.name = "frame/" + stage.name;
            result.time = Timing{stage.median_ms * 1000, stage.low_ms * 1000, stage.high_ms * 1000, 1, 1};
            result.note = stage.note;
            results.push_back(result);
        }
    } catch (const Unavailable& error) {
        result.name = "frame";
        result.skipped = error.what();
        results.push_back(result);
    }
}

bool has(const BenchPlan& plan, BenchSection section) {
    return std::find(plan.sections.begin(), plan.sections.end(), section) != plan.sections.end();
}

class Runner {
public:
    Runner(const std::shared_ptr<Backend>& backend, const BenchPlan& plan) : backend_(backend), plan_(plan) {}

    void run(const std::vector<BenchCase>& cases, const BenchProgress& progress, std::vector<BenchResult>& results) {
        for (size_t i = 0; i < cases.size(); ++i) {
            if (progress) progress(i, cases.size());
            results.push_back(measured(cases[i], limit_ms(cases.size() - i)));
        }
    }

    const CopyFloor& copies() { return on(backend_->info().kind).copies(); }

private:
    // What is left of the budget, divided evenly, minus the time around the measurements.
    double limit_ms(size_t cases_left) const {
        if (plan_.full || !plan_.pattern.empty()) return 300;
        const double left = budget_seconds(plan_) * 1000 - watch_.ms();
        return std::clamp(0.6 * left / double(cases_left), 3.0, 300.0);
    }

    CaseMeasurer& on(BackendKind kind) {
        auto& measurer = measurers_[kind];
        if (!measurer)
            measurer = std::make_unique<CaseMeasurer>(kind == backend_->info().kind ? backend_ : make_cpu_backend());
        return *measurer;
    }

    BenchResult measured(const BenchCase& of, double limit_ms) {
        CaseMeasurer& measurer = on(of.backend);
        std::string why;
        for (const bool again : {false, true}) {
            try {
                return measurer.measure(of, limit_ms, again ? 1 : most_in_turn);
            } catch (const OutOfMemory& error) {
                why = error.what();
                measurer.forget();  // coefficients of earlier cases
            } catch (const Error& error) {
                why = error.what();
                break;
            }
        }
        BenchResult result = result_of(of);
        result.skipped = why;
        return result;
    }

    std::shared_ptr<Backend> backend_;
    const BenchPlan& plan_;
    StopWatch watch_;
    std::map<BackendKind, std::unique_ptr<CaseMeasurer>> measurers_;
};

void set_ratios_to_bilinear(const std::vector<BenchCase>& cases, std::vector<BenchResult>& results) {
    std::map<std::string, const BenchResult*> by_name;
    for (const BenchResult& result : results) by_name[result.name] = &result;
    for (size_t i = 0; i < cases.size(); ++i) {
        if (cases[i].work == BenchCase::Work::prefilter || !results[i].time) continue;
        const auto found = by_name.find(bilinear_of(cases[i]).name());
        if (found == by_name.end() || !found->second->time) continue;
        results[i].over_bilinear = results[i].time->median_us / found->second->time->median_us;
    }
}

void check_any(const std::vector<BenchResult>& results) {
    for (const BenchResult& result : results)
        if (result.time) return;
    if (!results.empty()) throw Error("nothing could be measured: " + results.back().skipped);
}

}  // namespace

double budget_seconds(const BenchPlan& plan) { return plan.quick ? 10 : 90; }

BenchReport run_bench(const std::shared_ptr<Backend>& backend, const BenchPlan& plan, const BenchProgress& progress) {
    const std::vector<BenchCase> cases = bench_cases(plan, backend->info());
    BenchReport report;
    report.version = TEXELSCOPE_VERSION;
    report.backend = backend->info().kind;
    report.device = backend->info().device;
    report.detail = backend->info().detail;
    Runner runner(backend, plan);
    report.copy = runner.copies().large();
    report.copy_bytes = runner.copies().large_bytes();
    runner.run(cases, progress, report.results);
    set_ratios_to_bilinear(cases, report.results);
    if (has(plan, BenchSection::frame)) add_frame_results(plan, report.backend, report.results);
    if (has(plan, BenchSection::tiles)) add_tile_results(plan, backend, report.results);
    check_any(report.results);
    return report;
}

}  // namespace texelscope
