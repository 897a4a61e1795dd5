#pragma once
// What one case costs on one backend.

#include <map>
#include <memory>
#include <optional>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/memory.h"
#include "app/studies/bench/result.h"
#include "app/studies/bench/timing.h"

namespace texelscope {

// The cost of merely moving bytes: copies within the backend's memory.
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

// Measures one case on one backend.
class CaseMeasurer {
public:
    explicit CaseMeasurer(const std::shared_ptr<Backend>& backend);

    // Figures of the case, without the ratio to bilinear. No more than this many sources take turns. Throws OutOfMemory
    // or Error.
    BenchResult measure(const BenchCase& of, double limit_ms, int most_sources = most_in_turn);

    // Frees the pictures that the next case would have reused.
    void forget() { sources_.reset(); }

    const CopyFloor& copies() const { return copies_; }

private:
    struct Key {
        PixelFormat format;
        int width = 0, height = 0, copies = 0;
        bool operator==(const Key&) const = default;
    };

    void measure_render(const BenchCase& of, const Effort& effort, BenchResult& result);
    void measure_prefilter(const BenchCase& of, const Effort& effort, BenchResult& result);
    void measure_whole_call(const BenchCase& of, const Effort& effort, BenchResult& result);
    BenchSources& sources_of(const BenchCase& of, double bytes_of_each);

    std::shared_ptr<Backend> backend_;
    BenchClock clock_;
    CopyFloor copies_;
    BenchOutputs outputs_;
    int most_sources_ = most_in_turn;
    Key key_;
    std::unique_ptr<BenchSources> sources_;
};

}  // namespace texelscope
