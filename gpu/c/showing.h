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
    int pixel_values = 1;  // from one pixel to the next: a GPU keeps three channels as four
    bool colours = false;
    DifferenceKind kind = DifferenceKind::signed_;
};

// ΔE2000 of two colours as they are stored, clamped to 0 … 1; NaN if a component is not finite.
TS_HD double colour_difference(const float* value, const float* reference) {
    double v[2][3];
    for (int c = 0; c < 3; ++c) {
        if (!is_finite(value[c]) || !is_finite(reference[c])) return nan("");
        v[0][c] = fmin(fmax(double(value[c]), 0.0), 1.0);
        v[1][c] = fmin(fmax(double(reference[c]), 0.0), 1.0);
    }
    return delta_e_2000(lab_of_srgb(v[0][0], v[0][1], v[0][2]), lab_of_srgb(v[1][0], v[1][1], v[1][2]));
}

TS_HD void write_difference(const DifferenceJob& job, int x, int y) {
    const size_t pixel = size_t(y) * size_t(job.width) + size_t(x), first = pixel * size_t(job.pixel_values),
                 to = pixel * size_t(job.channels);
    if (job.colours) {
        job.to[pixel] = float(colour_difference(job.values + first, job.reference + first));
        return;
    }
    for (size_t c = 0; c < size_t(job.channels); ++c)
        job.to[to + c] =
            float(difference_of(job.kind, double(job.values[first + c]), double(job.reference[first + c])));
}

// Enqueued on the backend's stream; all memory is the device's.
void difference_on_cuda(const DifferenceJob& job, const Backend& backend);

}  // namespace texelscope::c
