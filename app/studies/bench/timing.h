#pragma once
// How long something takes on a backend: medians over batches of enqueued work.

#include <functional>
#include <memory>
#include <span>

#include "gpu/backend/backend.h"

namespace texelscope {

// Microseconds of one repetition: median and quartiles over the batches.
struct Timing {
    double median_us = 0, lower_us = 0, upper_us = 0;
    int batches = 0, repeats = 0;  // repetitions per batch
};

// The timing of work measured in turn; `microseconds` is not empty.
Timing summarised(std::span<const double> microseconds, int repeats);

// The cost limits of a measurement. Work that takes longer than limit_ms / least_batches is measured in fewer batches,
// but at least three.
struct Effort {
    double limit_ms = 200;
    double batch_ms = 1.5;  // long enough that launches and the clock's resolution are negligible
    int least_batches = 7, most_batches = 25;
};

class BenchClock {
public:
    explicit BenchClock(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

    // Times enqueue(k), k = 0, 1, 2, … in turn; the first `warm_up` calls are not counted. Work that a GPU's host
    // cannot enqueue as fast as the GPU computes it is enqueued behind a copy, whose own time is subtracted.
    Timing time(const std::function<void(int k)>& enqueue, int warm_up, const Effort& effort);

    // The same for work that reports its own milliseconds, on the backend's clock, and is not repeated within a batch.
    Timing time_reported(const std::function<double(int k)>& run, int warm_up, const Effort& effort);

    Backend& backend() const { return *backend_; }

private:
    double batch_ms(const std::function<void()>& enqueue);
    double batch_ms_behind_a_copy(const std::function<void()>& enqueue, double enqueue_ms);

    std::shared_ptr<Backend> backend_;
    std::shared_ptr<void> copied_;  // what the copy copies
    double copy_ms_ = 0;
};

}  // namespace texelscope
