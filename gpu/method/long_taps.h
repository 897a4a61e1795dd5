#pragma once
// Resampling along the axes by taps of any length, on a GPU: rows first, then columns.

#include "gpu/core/device_limits.h"
#include "gpu/core/timing.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

namespace work {
inline constexpr WorkName long_rows{"interpolation, long rows"}, long_columns{"interpolation, long columns"};
}

// The taps of all pixels along an axis; memory of the device.
struct LongTapsView {
    const int* first = nullptr;      // samples, perhaps beyond the edges
    const float* weights = nullptr;  // [k · pixels + i]: those that neighbouring threads read are side by side
    int taps = 0, pixels = 0;
};

// Floats that the rows between both passes take.
inline size_t long_taps_scratch(const ResampleJob& job) {
    return size_t(job.output.width) * size_t(job.source.height) * size_t(job.source.channels);
}

// Enqueues both passes. The job's positions and spec are not used, and its source is samples, without margin. Throws Error if
// a launch is refused.
void launch_long_taps(const ResampleJob& job, const LongTapsView& x, const LongTapsView& y, float* between,
                      const DeviceQueue& queue);

}  // namespace texelscope
