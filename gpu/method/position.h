#pragma once
// From output pixels to taps: positions in double, then an integer index and a float fraction.

#include <cmath>
#include <cstdint>

#include "gpu/core/address.h"
#include "gpu/core/platform.h"
#include "gpu/core/view.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

// a·i + b·j + c, each operation rounded separately, so that host and device agree to the last bit.
TS_HD double affine_position(double a, double b, double c, double i, double j) {
#if defined(__CUDA_ARCH__)
    return __dadd_rn(__dadd_rn(__dmul_rn(a, i), __dmul_rn(b, j)), c);
#else
    return a * i + b * j + c;
#endif
}

// Largest integer not above x, for |x| < 2⁶². Without SSE 4.1 the library's floor is a call.
TS_HD long long floor_to_integer(double x) {
    const auto truncated = static_cast<long long>(x);
    return truncated - (x < double(truncated) ? 1 : 0);
}

TS_HD_RARE double reduced_by_period(double x, double period) { return fmod(x, period); }  // exact, however large x is

// x, moved by a whole number of samples to between `to` and `to` + 1; infinite: to `to`.
TS_HD_RARE double moved_by_samples(double x, double to) {
    const double fraction = x - floor(x);
    return fraction >= 0 && fraction < 1 ? to + fraction : to;
}

// A position that reads the same value and whose index fits an int, or NaN if none does: reduced by the period, or
// moved to where a clamped or bordered signal has long been constant, by whole samples, since weights that do not sum
// to 1 still depend on the fraction.
TS_HD double reduced_position(double x, AddressMode mode, int n, int margin) {
    if (is_periodic(mode)) {
        const auto period = double(period_of(mode, n));
        if (x < -period || x > 2 * period) x = reduced_by_period(x, period);
        return x;
    }
    const double beyond = margin + 128.0;  // more than any method's support
    return x < -beyond ? moved_by_samples(x, -beyond - 1) : x > n + beyond ? moved_by_samples(x, n + beyond) : x;
}

// Sample-space point that output pixel (i, j) reads, in indices of the source.
TS_HD Point position_of(const ResampleJob& job, int i, int j) {
    if (job.points.x) return job.points.at(size_t(j) * size_t(job.output.width) + size_t(i));
    const Affine& p = job.positions;
    if (const Cut& cut = job.cut; cut.is_part) {
        const double x = affine_position(p.xx, p.xy, cut.x0, double(i) + cut.i, double(j) + cut.j),
                     y = affine_position(p.yy, p.yx, cut.y0, double(j) + cut.j, double(i) + cut.i);
        return {x - cut.x, y - cut.y};
    }
    return {affine_position(p.xx, p.xy, p.x0, i, j), affine_position(p.yy, p.yx, p.y0, j, i)};
}

// Position of the taps along one axis: index of the first, and the fraction that the weights depend on.
struct AxisPosition {
    int first;
    float t;  // even number of taps: x − floor(x) in [0, 1]; odd: x − floor(x + ½) in [−½, ½]
};

template <int taps> TS_HD AxisPosition locate(double x) {
    const int centre = int(floor_to_integer(taps % 2 == 0 ? x : x + 0.5));
    return {centre - (taps - 1) / 2, float(x - centre)};
}

// A coordinate as floor(x) and the rest; a fixed-point position consists of these.
struct SplitCoordinate {
    int whole;
    uint32_t part;  // in units of 2⁻³²
};

template <int taps> TS_HD AxisPosition locate(SplitCoordinate x) {
    constexpr float unit = 0x1p-32f;
    if (taps % 2 == 0) return {x.whole - (taps - 1) / 2, float(x.part) * unit};
    return {x.whole + int(x.part >> 31) - (taps - 1) / 2, float(int32_t(x.part)) * unit};
}

// floor(x), and the rest in float.
struct Floored {
    int whole;
    float part;
};
TS_HD Floored floored(double x) {
    const int whole = int(floor_to_integer(x));
    return {whole, float(x - whole)};
}
TS_HD Floored floored(SplitCoordinate x) { return {x.whole, float(x.part) * 0x1p-32f}; }

}  // namespace texelscope
