#include "app/studies/bench/copy_floor.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/stop_watch.h"

namespace texelscope {
namespace {

constexpr size_t page = 4096;

size_t rounded_up(double bytes) { return std::max<size_t>(1, size_t(std::ceil(bytes / page))) * page; }

}  // namespace

CopyFloor::CopyFloor(BenchClock& clock, const Effort& effort)
    : clock_(clock),
      effort_(effort),
      pool_bytes_(bytes_in_turn(clock.backend().info().kind)),
      large_half_(pool_bytes_ / 2),
      pool_(noise_memory(clock.backend(), SampleType::u8, pool_bytes_)) {
    const StopWatch watch;
    do large_ = measured(large_half_);  // repeated until an idle machine has raised its clocks
    while (watch.ms() < 300);
}

double CopyFloor::us(double bytes) {
    const size_t half = rounded_up(bytes / 2);
    if (const auto found = known_.find(half); found != known_.end()) return found->second;
    const double reckoned = bytes / large_bytes() * large_.median_us;
    try {
        return known_[half] = half == large_half_ ? large_.median_us : measured(half).median_us;
    } catch (const OutOfMemory&) {
        return known_[half] = reckoned;
    }
}

Timing CopyFloor::measured(size_t half) {
    std::shared_ptr<void> memory = pool_;
    if (2 * half > pool_bytes_) memory = noise_memory(clock_.backend(), SampleType::u8, 2 * half);
    auto* begin = static_cast<std::byte*>(memory.get());
    const size_t pairs = std::max<size_t>(1, pool_bytes_ / (2 * half));
    const auto copy = [&](int k) {
        std::byte* from = begin + 2 * half * (size_t(k) % pairs);
        clock_.backend().copy(from + half, from, half);
    };
    return clock_.time(copy, int(std::min<size_t>(pairs, 8)), effort_);
}

}  // namespace texelscope
