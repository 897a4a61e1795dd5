#pragma once
// Positions of an affine view in fixed point: as exact as double, at the cost of a few integer instructions per pixel.

#include <cmath>
#include <cstdint>
#include <optional>

#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {

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
