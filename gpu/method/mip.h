#pragma once
// Mip levels, as a texture unit reads them: for each pixel a level of the pyramid by how far apart the points of its
// neighbours are, blended with the next one, or several along the longer side of its footprint (anisotropic). For host and
// device. Positions and weights are exact, which a texture unit rounds to 8 bits.

#include "gpu/core/machine.h"
#include "gpu/core/timing.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

namespace work {
inline constexpr WorkName mip{"interpolation, mip levels"};
}

inline constexpr int most_mip_levels = 14, mip_level_unit = 8;  // Mip::level: the number of levels that is white

// A level and its positions: scale · x + shift, with x in samples of the picture.
struct MipLevel {
    TexelArray texels;
    double scale_x = 1, shift_x = 0, scale_y = 1, shift_y = 0;
};

// Level k is the picture halved k times along each axis, but never to less than one sample.
struct MipJob {
    ResampleJob job;  // of the picture itself
    MipLevel level[most_mip_levels];
    int levels = 1;
    Mip mip = Mip::none;
    bool nearest = false;  // within a level; else bilinear
};

// Computes rows [first, last) of the job on the calling thread.
void resample_mip_rows(const MipJob& job, int first, int last);

// Enqueues the job. Throws Error if the launch is refused.
void launch_mip(const MipJob& job, const DeviceQueue& queue);

// How the point that is read moves from pixel to pixel, alike for each two by two pixels, as a texture unit measures it.
TS_HD Steps quad_steps(const ResampleJob& job, int i, int j) {
    const auto pair = [](int at, int length) { return at - (at % 2 != 0 || at + 1 == length ? (at > 0 ? 1 : 0) : 0); };
    const int left = pair(i, job.output.width), top = pair(j, job.output.height);
    Steps steps{0, 0, 0, 0};
    if (job.output.width > 1) {
        const Point a = position_of(job, left, j), b = position_of(job, left + 1, j);
        steps.xi = b.x - a.x;
        steps.yi = b.y - a.y;
    }
    if (job.output.height > 1) {
        const Point a = position_of(job, i, top), b = position_of(job, i, top + 1);
        steps.xj = b.x - a.x;
        steps.yj = b.y - a.y;
    }
    return steps;
}

// A pixel's footprint: the level that is read (log₂ of samples), the number of points, the step from one point to the
// next, the weight of each of the outermost two points, and that of each other point.
struct MipFootprint {
    double level = 0;
    int probes = 1;
    double dx = 0, dy = 0;
    float outer = 1, inner = 0;
};

// The level that an anisotropic fetch reads in place of this one: it blends two levels over a shorter range than
// trilinear filtering does.
TS_HD double sharpened(double level, int most) {
    const double whole = floor(level), slope = most == 2 ? 1.5 : most == 4 ? 1.75 : 2;
    const double part = 0.5 + slope * (level - whole - 0.5);
    return whole + (part > 0 ? (part < 1 ? part : 1) : 0);
}

// The rules of OpenGL (4.6, section 8.14); where the footprint is anisotropic, what an NVIDIA texture unit was measured to do
// (docs/texture-unit.md).
TS_HD MipFootprint mip_footprint(const Steps& s, Mip mip) {
    const double right = sqrt(s.xi * s.xi + s.yi * s.yi), down = sqrt(s.xj * s.xj + s.yj * s.yj);
    const double longer = right > down ? right : down, shorter = right > down ? down : right;
    MipFootprint f;
    if (!(longer <= 1e18)) {  // at the horizon
        f.level = most_mip_levels;
        return f;
    }
    const int most = most_probes(mip);
    // What is magnified along the shorter side is not read more often for that.
    const double apart = most > 1 ? fmax(fmax(shorter, 1.0), longer / most) : longer;
    f.level = apart > 1 ? log2(apart) : 0;
    if (most <= 1) return f;
    f.level = sharpened(f.level, most);
    const double ratio = longer / apart;
    if (ratio > 1 + 1e-6) {
        f.probes = 2 * int(ceil(ratio / 2 - 1e-6));
        f.inner = float(1 / ratio);
        f.outer = float((1 - (f.probes - 2) / ratio) / 2);
        const double step = exp2(f.level) * (ratio < 2 ? 2 * (1 - 1 / ratio) : 1) / longer;
        f.dx = step * (right > down ? s.xi : s.xj);
        f.dy = step * (right > down ? s.yi : s.yj);
    }
    return f;
}

namespace detail {

// Adds weight · the value of a level at a point of the picture.
template <class Source>
TS_HD void add_level(Pixel<Source::channels>& sum, const Source& source, const MipLevel& level, bool nearest, Point p,
                     float weight) {
    const TexelArray& a = level.texels;
    const double x = reduced_position(level.scale_x * p.x + level.shift_x, a.address.x, a.width, 0),
                 y = reduced_position(level.scale_y * p.y + level.shift_y, a.address.y, a.height, 0);
    if (!(x == x && y == y)) {
        sum = Pixel<Source::channels>::nan();
        return;
    }
    const Floored fx = floored(nearest ? x + 0.5 : x), fy = floored(nearest ? y + 0.5 : y);
    const int side = nearest ? 1 : 2;
    for (int j = 0; j < side; ++j) {
        const float down = nearest ? weight : weight * (j == 0 ? 1 - fy.part : fy.part);
        const int row = source.row(fy.whole + j);
        if (down == 0 || Source::is_zero(row)) continue;
        for (int i = 0; i < side; ++i) {
            const float w = nearest ? down : down * (i == 0 ? 1 - fx.part : fx.part);
            const int column = source.column(fx.whole + i);
            if (w != 0 && !Source::is_zero(column)) sum.add_scaled(w, source.load(column, row));
        }
    }
}

// Adds a level whose sample type is known at run time, C channels as they are stored.
template <int C>
TS_HD void add_level(Pixel<pixel_channels(C)>& sum, const MipLevel& level, bool nearest, Point p, float weight) {
    const TexelArray& a = level.texels;
    switch (a.type) {
        case SampleType::u8: return add_level(sum, LinearSource<uint8_t, C>(a), level, nearest, p, weight);
        case SampleType::u16: return add_level(sum, LinearSource<uint16_t, C>(a), level, nearest, p, weight);
        case SampleType::f16: return add_level(sum, LinearSource<HalfBits, C>(a), level, nearest, p, weight);
        default: return add_level(sum, LinearSource<float, C>(a), level, nearest, p, weight);
    }
}

template <int C> TS_HD void mip_pixel(const MipJob& mip, int i, int j) {
    constexpr int channels = pixel_channels(C);
    const ResampleJob& job = mip.job;
    const Point p = position_of(job, i, j);
    if (is_outside(job, p)) return write_outside<channels>(job, i, j);
    const MipFootprint f = mip_footprint(quad_steps(job, i, j), mip.mip);
    const double top = mip.levels - 1, level = f.level < top ? f.level : top;
    auto sum = Pixel<channels>::zero();
    if (mip.mip == Mip::level) {
        for (int c = 0; c < C; ++c) sum.v[c] = float(level / mip_level_unit);
        if (job.output.has_alpha) sum.v[C - 1] = 1;
        return write_pixel(job.output, i, j, sum);
    }
    const bool blends = mip.mip != Mip::nearest;
    const int finer = int(blends ? level : level + 0.5);
    const float coarse = blends ? float(level - finer) : 0;
    for (int k = 0; k < f.probes; ++k) {
        const double way = k - (f.probes - 1) / 2.0;
        const Point at{p.x + way * f.dx, p.y + way * f.dy};
        const float share = k == 0 || k == f.probes - 1 ? f.outer : f.inner;
        add_level<C>(sum, mip.level[finer], mip.nearest, at, share * (1 - coarse));
        if (coarse > 0) add_level<C>(sum, mip.level[finer + 1], mip.nearest, at, share * coarse);
    }
    write_pixel(job.output, i, j, sum);
}

}  // namespace detail
}  // namespace texelscope
