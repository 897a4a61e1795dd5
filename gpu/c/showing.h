#pragma once
// Differences of two renderings, pixel by pixel.

#include <optional>

#include "gpu/compare/colour_difference.h"
#include "gpu/display/pixel.h"

namespace texelscope {
class Backend;
}

namespace texelscope::c {

// Of packed floats in units of the engine. Without a kind it is ΔE2000 of three or four channels, and the result has one.
struct DifferenceJob {
    const float *values = nullptr, *reference = nullptr;
    float* to = nullptr;
    int width = 0, height = 0, channels = 1;
    bool colours = false;
    DifferenceKind kind = DifferenceKind::signed_;
};

TS_HD void write_difference(const DifferenceJob& job, int x, int y) {
    const size_t pixel = size_t(y) * size_t(job.width) + size_t(x), first = pixel * size_t(job.channels);
    if (job.colours) {
        job.to[pixel] = float(colour_difference(job.values + first, job.reference + first));
        return;
    }
    for (size_t k = first; k < first + size_t(job.channels); ++k)
        job.to[k] = float(difference_of(job.kind, double(job.values[k]), double(job.reference[k])));
}

// Enqueued on the backend's stream; all memory is the device's.
void difference_on_cuda(const DifferenceJob& job, const Backend& backend);

}  // namespace texelscope::c
