#pragma once
// The host's clocks, work by name, and ranges of time for profilers.

#include <chrono>
#include <ctime>

namespace texelscope {

// Wall clock of the host.

class StopWatch {
public:
    // Milliseconds since construction.
    double ms() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Processor time, which leaves out what a thread waits for.

// Processor time of this thread so far, in milliseconds.
inline double thread_ms() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

// Work by name, and ranges of time for profilers.

// What the backends compute, by name, the same on both. A name is the row of a profiler (ProfilerRange).

struct WorkName {
    const char* name;
};

namespace work {

// The stages of a frame, which are what the timing panel shows and `texelscope bench` measures. Launches lie within.
inline constexpr WorkName prefilter{"prefilter"}, acquire{"acquire"}, render{"render"}, release{"release"},
    draw{"draw"}, panels{"panels"};

// Launches: a kernel of the GPU, which messages call by this name, or a loop of the CPU's threads.
inline constexpr WorkName pixels{"interpolation, pixel by pixel"}, direct{"interpolation, direct"},
    march{"interpolation, march"}, tile{"interpolation, tile"}, vectors{"interpolation, vectors"},
    tabulated{"interpolation, tabulated"}, shrink{"interpolation, shrinking"}, nan_outside{"NaN outside the image"};

inline constexpr WorkName fused_prefilter{"prefilter, fused"}, convolution{"prefilter, convolution"},
    prefilter_rows{"prefilter, rows"}, prefilter_columns{"prefilter, columns"},
    prefilter_non_finite{"prefilter, non-finite samples"}, half_coefficients{"prefilter, half floats"};

inline constexpr WorkName reference{"float64 interpolation"}, reference_rows{"float64 prefilter, rows"},
    reference_columns{"float64 prefilter, columns"}, reference_non_finite{"float64 prefilter, non-finite samples"};

inline constexpr WorkName errors{"comparison, errors"}, ssim{"comparison, SSIM"}, comparison_sums{"comparison, sums"},
    colours{"comparison, colours"}, flip{"comparison, FLIP"}, gradients{"comparison, gradients"},
    map_sums{"comparison, sums of a map"};

inline constexpr WorkName reduction{"ideal reduction"};

inline constexpr WorkName display{"display"}, border{"border value"}, formula{"formula"}, warp{"warp"}, copy{"copy"},
    illegal_write{"illegal write"};

}  // namespace work

class ProfilerRange {
public:
#if TEXELSCOPE_WITH_CUDA
    explicit ProfilerRange(const WorkName& work);
    ~ProfilerRange();
#else
    explicit ProfilerRange(const WorkName&) {}
    ~ProfilerRange() {}
#endif
    ProfilerRange(const ProfilerRange&) = delete;
    ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace texelscope
