#pragma once
// The cost of merely moving bytes: copies within the backend's memory.

#include <map>
#include <memory>

#include "app/studies/bench/memory.h"
#include "app/studies/bench/timing.h"

namespace texelscope {

class CopyFloor {
public:
    CopyFloor(BenchClock& clock, const Effort& effort);

    // For the large copy, whose bandwidth is the reference of shares.
    const Timing& large() const { return large_; }
    double large_bytes() const { return 2.0 * double(large_half_); }  // moved

    // Microseconds of a copy that moves this many bytes: reads half of them and writes half. Successive copies cycle
    // through bytes_in_turn(); a copy that does not fit in memory is estimated from the large one's bandwidth.
    double us(double bytes);

private:
    Timing measured(size_t half);

    BenchClock& clock_;
    Effort effort_;
    size_t pool_bytes_, large_half_;
    std::shared_ptr<void> pool_;
    Timing large_;
    std::map<size_t, double> known_;  // by half the number of bytes
};

}  // namespace texelscope
