#include "app/studies/bench/timing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/core/quantile.h"
#include "gpu/core/stop_watch.h"

namespace texelscope {
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

}  // namespace texelscope
