#pragma once
// From output pixels to taps: positions in double, then an integer index and a float fraction.

#include <cmath>
#include <cstdint>
#include <optional>

#include "gpu/core/address.h"
#include "gpu/core/platform.h"
#include "gpu/core/view.h"
#include "gpu/method/output.h"
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

// Positions of an affine view in fixed point: as exact as double, at the cost of a few integer instructions per pixel.

// Coordinates in units of 2⁻⁴⁴ sample. The steps are rounded to that, so a position is off by at most half a unit for
// each pixel and row up to it: by 2⁻³³ in a picture of 2048 × 2048. Rounding must not move a position that is a whole or
// a half number to below it; hence a bias larger than that error, which is cut off again, with all bits below twice the
// bias: 2⁻²⁴ sample for the largest pictures that are taken.
struct FixedAffine {
    static constexpr int bits = 44;
    static constexpr double reach = 0x1p18;      // largest coordinate of a sample that a position may have
    static constexpr int most_pixels = 1 << 19;  // width + height of the output
    long long xx, xy, x0, yx, yy, y0;
    uint32_t kept;     // bits of a SplitCoordinate's part that are not cut off
    bool clips;        // some pixels may be background
    bool nan_outside;  // some pixels may be outside, and NaN
};

TS_HD SplitCoordinate split(const FixedAffine& f, long long coordinate) {
    return {int(coordinate >> FixedAffine::bits), uint32_t(coordinate >> (FixedAffine::bits - 32)) & f.kept};
}

// Whether the position is outside the image's n samples where the job's outside is NaN: outside [0, n − 1].
TS_HD bool is_beyond_samples(SplitCoordinate x, int n) {
    return unsigned(x.whole + (x.part != 0 ? 1 : 0)) >= unsigned(n) || x.whole < 0;
}

// Farthest coordinate along an axis that fixed positions serve. A texture that repeats is given float32 coordinates,
// which reduced_position() would keep near zero.
inline double reach_of(const ResampleJob& job, AddressMode mode, int n) {
    return job.path() != FetchPath::global && is_periodic(mode) ? double(n) : FixedAffine::reach;
}

// Empty unless everything that the job's pixels read is within reach, the output is no larger than most_pixels, and no
// points are given. Also empty for a part whose pixels are not all inside if that matters: the fast kernels know no other
// extent than that of what they read.
inline std::optional<FixedAffine> fixed_affine(const ResampleJob& job) {
    if (job.points.x || (long long)job.output.width + job.output.height > FixedAffine::most_pixels) return std::nullopt;
    const Affine& a = job.positions;
    const TexelArray& texels = job.source;
    const double reach_x = reach_of(job, texels.address.x, texels.width),
                 reach_y = reach_of(job, texels.address.y, texels.height);
    // Samples are as far as half a sample beyond the last one, and with NaN outside, as far as that.
    const double least = job.outside == Outside::nan ? 0.01 : -0.49;
    const ImageSpan columns = image_columns(job), rows = image_rows(job);
    bool inside = true;
    const double right = job.output.width - 1, bottom = job.output.height - 1;
    for (const double i : {0.0, right})
        for (const double j : {0.0, bottom}) {
            const Point p = apply(a, i, j);
            if (!(std::abs(p.x) < reach_x && std::abs(p.y) < reach_y)) return std::nullopt;
            inside = inside && p.x > columns.first + least && p.y > rows.first + least && p.x < columns.last - least &&
                     p.y < rows.last - least;
        }
    if (job.cut.is_part && job.outside != Outside::extend && !inside) return std::nullopt;
    const auto fixed = [](double v) { return std::llround(std::ldexp(v, FixedAffine::bits)); };
    int bias = 0;
    while (1 << bias < job.output.width + job.output.height) ++bias;
    const int cut = bias + 1 - (FixedAffine::bits - 32);
    return FixedAffine{fixed(a.xx),
                       fixed(a.xy),
                       fixed(a.x0) + (1LL << bias),
                       fixed(a.yx),
                       fixed(a.yy),
                       fixed(a.y0) + (1LL << bias),
                       cut <= 0 ? ~0u : ~0u << cut,
                       job.outside == Outside::background && !inside,
                       job.outside == Outside::nan && !inside};
}

}  // namespace texelscope
