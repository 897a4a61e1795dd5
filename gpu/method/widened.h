#pragma once
// How far a weight function is widened for zooming out without aliasing.

#include "gpu/method/position.h"

namespace texelscope {

// Widened no further than this; from there on a smaller image of the pyramid is read.
inline constexpr double max_stretch = 8;

// Taps along an axis: of an eight-tap method at the largest stretch, both ends included.
inline constexpr int max_widened_taps = 8 * int(max_stretch) + 1;

// As far as there is room for the taps: of methods of more than eight, half of it.
TS_HD double largest_stretch(double radius) { return radius > 4 ? max_stretch / 2 : max_stretch; }

// The stretches at output pixel (i, j) of a job with points: how far apart the neighbouring ones are along each axis.
TS_HD void local_stretches(const ResampleJob& job, int i, int j, double& stretch_x, double& stretch_y) {
    const Point p = position_of(job, i, j);
    const int next_i = i + 1 < job.output.width ? i + 1 : i - 1, next_j = j + 1 < job.output.height ? j + 1 : j - 1;
    const Point along_i = next_i >= 0 ? position_of(job, next_i, j) : p,
                along_j = next_j >= 0 ? position_of(job, i, next_j) : p;
    const auto stretch = [](double a, double b) {
        const double s = sqrt(a * a + b * b);
        return s > 1 ? (s < max_stretch ? s : max_stretch) : 1.0;  // NaN: 1
    };
    stretch_x = stretch(along_i.x - p.x, along_j.x - p.x);
    stretch_y = stretch(along_i.y - p.y, along_j.y - p.y);
}

}  // namespace texelscope
