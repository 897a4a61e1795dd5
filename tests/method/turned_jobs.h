#pragma once
// Rotated views of a picture of 6000 × 4000 samples, shrunk by a filter of so many taps.

#include <cmath>
#include <numbers>

#include "gpu/method/tabulated.h"

namespace texelscope::test {

inline TabulatedJob turned_job(SampleType type, int taps, double scale, double degrees, int channels = 4) {
    const double angle = degrees * std::numbers::pi / 180;
    TabulatedJob tabulated;
    ResampleJob& job = tabulated.job;
    job.source.type = type;
    job.source.width = 6000;
    job.source.height = 4000;
    job.source.channels = channels;
    job.output.width = 1280;
    job.output.height = 720;
    job.positions = {scale * std::cos(angle), -scale * std::sin(angle), 300.5,
                     scale * std::sin(angle), scale * std::cos(angle),  70.5};
    tabulated.x.radius = tabulated.y.radius = float(taps) / 2;
    tabulated.x.stretch = tabulated.y.stretch = float(scale);
    return tabulated;
}

}  // namespace texelscope::test
