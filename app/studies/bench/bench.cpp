#include "app/studies/bench/bench.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "app/studies/bench/result.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/half.h"
#include "gpu/core/quantile.h"
#include "gpu/core/timing.h"

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

namespace {

constexpr int most_repeats = 256;  // fewer than a CUDA stream holds before enqueuing waits
constexpr size_t copy_bytes = size_t(64) << 20;

int batches_for(double batch_ms, const Effort& effort) {
    const double fit = effort.limit_ms / std::max(batch_ms, 1e-6);
    return int(std::clamp(fit, 3.0, double(effort.most_batches)));
}

}  // namespace

Timing summarised(std::span<const double> microseconds, int repeats) {
    std::vector<double> sorted(microseconds.begin(), microseconds.end());
    std::sort(sorted.begin(), sorted.end());
    return {quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75), int(sorted.size()), repeats};
}

Timing BenchClock::time(const std::function<void(int)>& enqueue, int warm_up, const Effort& effort) {
    int k = 0;
    while (k < warm_up) enqueue(k++);
    backend_->synchronize();
    const auto batch = [&](int repeats) {
        return batch_ms([&] {
            for (int i = 0; i < repeats; ++i) enqueue(k++);
        });
    };
    int repeats = 1;
    double once = batch(1);
    while (once * repeats < effort.batch_ms / 4 && repeats < most_repeats) {
        repeats = std::min(4 * repeats, most_repeats);
        once = batch(repeats) / repeats;
    }
    const double most_a_batch = effort.limit_ms / effort.least_batches;
    const double wanted = std::min(effort.batch_ms, most_a_batch) / std::max(once, 1e-6);
    repeats = int(std::clamp(std::ceil(wanted), 1.0, double(most_repeats)));
    std::vector<double> all(size_t(batches_for(once * repeats, effort)));
    for (double& microseconds : all) microseconds = batch(repeats) / repeats * 1000;
    return summarised(all, repeats);
}

Timing BenchClock::time_reported(const std::function<double(int)>& run, int warm_up, const Effort& effort) {
    int k = 0;
    while (k < warm_up) run(k++);
    const StopWatch watch;  // work around the reported time counts against the limit, too
    run(k++);
    std::vector<double> all(size_t(batches_for(watch.ms(), effort)));
    for (double& microseconds : all) microseconds = run(k++) * 1000;
    return summarised(all, 1);
}

double BenchClock::batch_ms(const std::function<void()>& enqueue) {
    double enqueue_ms = 0;
    const double ms = backend_->time_ms([&] {
        const StopWatch watch;
        enqueue();
        enqueue_ms = watch.ms();
    });
    if (!backend_->stream() || ms > 1.3 * enqueue_ms) return ms;
    return batch_ms_behind_a_copy(enqueue, enqueue_ms);
}

double BenchClock::batch_ms_behind_a_copy(const std::function<void()>& enqueue, double enqueue_ms) {
    const auto copy = [&](int times) {
        auto* bytes = static_cast<std::byte*>(copied_.get());
        for (int i = 0; i < times; ++i) backend_->copy(bytes + copy_bytes, bytes, copy_bytes);
    };
    if (!copied_) {
        copied_ = backend_->allocate(2 * copy_bytes);
        copy(1);
        copy_ms_ = backend_->time_ms([&] { copy(4); }) / 4;
    }
    const int copies = int(std::ceil(1.5 * enqueue_ms / copy_ms_)) + 1;
    const double before = backend_->time_ms([&] { copy(copies); });
    const double both = backend_->time_ms([&] {
        copy(copies);
        enqueue();
    });
    return std::max(both - before, 0.0);
}

namespace {

template <class Sample, class Convert> std::vector<std::byte> noise_bytes(size_t bytes, Convert convert) {
    std::vector<std::byte> tile(bytes);
    std::minstd_rand random(1);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (size_t i = 0; i + sizeof(Sample) <= bytes; i += sizeof(Sample)) {
        const Sample sample = convert(uniform(random));
        std::memcpy(&tile[i], &sample, sizeof sample);
    }
    return tile;
}

std::vector<std::byte> noise_tile(SampleType type, size_t bytes) {
    switch (type) {
        case SampleType::u8: return noise_bytes<uint8_t>(bytes, [](float v) { return uint8_t(v * 255); });
        case SampleType::u16: return noise_bytes<uint16_t>(bytes, [](float v) { return uint16_t(v * 65535); });
        case SampleType::f16: return noise_bytes<uint16_t>(bytes, [](float v) { return float_to_half(v); });
        default: return noise_bytes<float>(bytes, [](float v) { return v; });
    }
}

}  // namespace

std::string name_of(const PixelFormat& format) { return fmt::format("{}x{}", name_of(format.type), format.channels); }

size_t bytes_in_turn(BackendKind kind) { return size_t(kind == BackendKind::cuda ? 256 : 64) << 20; }

int copies_in_turn(BackendKind kind, size_t bytes_of_each) {
    const size_t wanted = (bytes_in_turn(kind) + bytes_of_each - 1) / std::max<size_t>(bytes_of_each, 1);
    return int(std::clamp<size_t>(wanted, 1, most_in_turn));
}

std::shared_ptr<void> noise_memory(BackendMemory& backend, SampleType type, size_t bytes) {
    std::shared_ptr<void> memory = backend.allocate(bytes);
    auto* begin = static_cast<std::byte*>(memory.get());
    const std::vector<std::byte> tile = noise_tile(type, std::min(bytes, size_t(1) << 20));
    backend.write(begin, tile.data(), tile.size());
    for (size_t filled = tile.size(); filled < bytes;) {
        const size_t more = std::min(filled, bytes - filled);
        backend.copy(begin + filled, begin, more);
        filled += more;
    }
    backend.synchronize();
    return memory;
}

void BenchOutputs::make(size_t bytes, int copies) {
    bytes_ = (bytes + 255) / 256 * 256;
    copies_ = copies;
    const size_t needed = bytes_ * size_t(copies);
    if (needed <= all_) return;
    memory_.reset();
    all_ = 0;
    memory_ = noise_memory(*backend_, SampleType::u8, needed);
    all_ = needed;
}

BenchSources::BenchSources(const std::shared_ptr<Backend>& backend, PixelFormat format, int width, int height,
                           int copies) {
    const size_t bytes = size_t(width) * size_t(height) * format.texel_bytes();
    for (int k = 0; k < copies; ++k) {
        try {
            memory_.push_back(noise_memory(*backend, format.type, bytes));
        } catch (const OutOfMemory&) {
            if (k == 0) throw;
            return;
        }
        const ImageView view{memory_.back().get(), width, height, format.channels, format.type};
        sources_.push_back(std::make_unique<SourceImage>(backend, view));
    }
}

}  // namespace texelscope
