#pragma once
// What a block of the shrinking kernel computes: a function of only the job and the device's limits.

#include <algorithm>
#include <cmath>
#include <optional>

#include "gpu/core/device_limits.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

inline constexpr int shrink_threads = 256;  // one for each column of texels that a block reads
inline constexpr int shrink_batch = 8;      // rows of sums that are filtered along x together
inline constexpr size_t largest_shrink_bytes = 64 << 10;

struct ShrinkShape {
    int columns = 0, rows = 0;  // of the output
    int taps_x = 0;             // at most
    int texel_rows = 0;         // read for `rows`, at most
    int slots = 0;              // rows of the output that a row of texels belongs to, at most
    // Sums lie in this many groups, of every phases-th column: neighbouring pixels then read neighbouring sums.
    int phases = 1;

    TS_HD int group() const { return (shrink_threads + phases - 1) / phases; }
    TS_HD int weights_x() const { return taps_x | 1; }        // odd: no two pixels' weights in the same bank
    TS_HD int weights_y() const { return (slots + 3) & ~3; }  // read four at a time
    TS_HD size_t sums_bytes(int channels) const {
        return size_t(shrink_batch) * size_t(phases * group()) * size_t(channels) * sizeof(float);
    }
    size_t bytes(int channels) const {
        const size_t row = size_t(weights_y()) * sizeof(float) + 2 * sizeof(int);
        const size_t column = size_t(weights_x()) * sizeof(float) + 2 * sizeof(int);
        return (sums_bytes(channels) + 15) / 16 * 16 + size_t(texel_rows) * row + size_t(columns) * column +
               size_t(rows) * 2 * sizeof(int);
    }
};

// The kernels there are: slots of methods of two, four, six and eight taps. 0: none.
constexpr int shrink_slots(int taps) { return taps > 8 || taps < 2 ? 0 : (taps + 1) / 2 * 2 + 1; }

// Empty for views that are rotated or turned over along y, that enlarge along y, that reach extremely far, or that have
// points or one dimension, for weights from pieces, and for boxes, which share no texels: those are for the kernel of one thread per pixel.
inline std::optional<ShrinkShape> shrink_shape(const TabulatedJob& tabulated, const DeviceLimits& limits) {
    const ResampleJob& job = tabulated.job;
    const Affine& p = job.positions;
    if (job.simple || tabulated.x.pieces.pieces || tabulated.local_stretch || job.points.x ||
        job.source.one_dimensional || !p.axis_aligned())
        return {};
    constexpr double farthest = 0x1p20;
    const int width = job.output.width, height = job.output.height;
    const double right = p.x0 + p.xx * (width - 1), bottom = p.y0 + p.yy * (height - 1);
    for (const double at : {p.x0, p.y0, right, bottom})
        if (!(std::abs(at) < farthest)) return {};
    ShrinkShape shape;
    const int taps = int(std::lround(2 * tabulated.y.radius));
    const double reach_x = double(tabulated.x.radius) * tabulated.x.stretch,
                 reach_y = double(tabulated.y.radius) * tabulated.y.stretch, step_x = std::abs(p.xx);
    shape.slots = shrink_slots(taps);
    constexpr double rounding = 1.001;  // of stretches in float
    if (tabulated.x.stretch > float(max_stretch) || tabulated.y.stretch > float(max_stretch) || shape.slots == 0 ||
        !(2 * reach_y * rounding < shape.slots * p.yy))
        return {};
    shape.taps_x = int(std::floor(2 * reach_x * rounding)) + 2;
    const double free = shrink_threads - shape.taps_x - 1;  // columns of texels
    if (free < 0) return {};
    shape.columns = step_x * (shrink_threads - 1) <= free ? shrink_threads : int(free / step_x) + 1;
    shape.phases = std::clamp(int(std::lround(step_x)), 1, 2 * int(max_stretch));
    // High blocks repeat less work at their edges, if they are enough for all multiprocessors.
    const auto blocks = [&](int rows) {
        return double((width + shape.columns - 1) / shape.columns) * ((height + rows - 1) / rows);
    };
    shape.rows = 32;
    while (shape.rows > shrink_batch && blocks(shape.rows) < 2.0 * limits.multiprocessors) shape.rows /= 2;
    const auto texel_rows = [&](int rows) { return int((rows - 1) * p.yy + 2 * reach_y * rounding) + 4; };
    for (; shape.rows > 0; shape.rows /= 2) {
        shape.texel_rows = texel_rows(shape.rows);
        if (shape.bytes(job.source.channels) > std::min(largest_shrink_bytes, limits.shared_bytes_per_block)) continue;
        if ((height + shape.rows - 1) / shape.rows > int(most_blocks_down)) return {};
        return shape;
    }
    return {};
}

}  // namespace texelscope
