#pragma once
// What a block of the shrinking kernel computes: a function of only the job and the device's limits.

#include <algorithm>
#include <cmath>
#include <optional>

#include "gpu/core/device_limits.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

inline constexpr int shrink_threads = 256;
inline constexpr int shrink_samples = 4;  // of a row of texels to each thread: one or more whole texels
inline constexpr size_t largest_shrink_bytes = 96 << 10;

// Columns of texels that a block reads.
TS_HD constexpr int shrink_columns(int channels) { return shrink_threads * shrink_samples / channels; }

// Rows of texels that are on their way to a block, and their bytes.
TS_HD constexpr int shrink_ahead(int bytes_of_sample) { return bytes_of_sample == 1 ? 16 : 8; }
TS_HD constexpr size_t shrink_ring(int bytes_of_sample) {
    return size_t(shrink_ahead(bytes_of_sample)) * shrink_threads * shrink_samples * size_t(bytes_of_sample);
}

// Blocks at the same time on a multiprocessor, by the registers of a thread's sums.
constexpr int shrink_blocks(int slots) { return slots > 5 ? 2 : 3; }

// Taps of a pixel: `before` is the first one's index from the texel at or left of the pixel, `t` the pixel's position
// from there.
struct alignas(16) ShrinkTaps {
    int first, count, before;
    float t;
    TS_HD int last() const { return first + count - 1; }
};

struct ShrinkShape {
    int columns = 0, rows = 0;   // of the output
    int batch = 0;               // rows of sums that are filtered along x together
    int taps_x = 0, taps_y = 0;  // at most
    int texel_rows = 0;          // read for `rows`, at most, and those that are on their way at the end
    int slots = 0;               // rows of the output that a row of texels belongs to, at most
    // Sums lie in this many groups, of every phases-th column: neighbouring pixels then read neighbouring sums.
    int phases = 1;

    TS_HD int group(int channels) const { return (shrink_columns(channels) + phases - 1) / phases; }
    TS_HD int weights_x() const { return taps_x | 1; }  // odd: no two pixels' weights in the same bank
    TS_HD static constexpr int weights_y(int slots) { return (slots + 3) & ~3; }  // read four at a time
    TS_HD size_t sums_bytes(int channels) const {
        return (size_t(batch) * size_t(phases * group(channels)) * size_t(channels) * sizeof(float) + 15) / 16 * 16;
    }
    size_t bytes(int channels, int bytes_of_sample) const {
        const size_t row = size_t(weights_y(slots)) * sizeof(float) + sizeof(long long) + sizeof(int);
        const size_t column = size_t(weights_x()) * sizeof(float) + sizeof(ShrinkTaps);
        return shrink_ring(bytes_of_sample) + sums_bytes(channels) + size_t(texel_rows) * row +
               size_t(columns) * column + size_t(rows) * sizeof(ShrinkTaps);
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
    const int width = job.output.width, height = job.output.height, channels = job.source.channels;
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
    shape.taps_y = int(std::floor(2 * reach_y * rounding)) + 2;
    const int sample = bytes_per_sample(job.source.type), alignment = shrink_samples / channels - 1;
    const double free = shrink_columns(channels) - alignment - shape.taps_x - 1;  // columns of texels
    if (free < 0) return {};
    const int most_columns = int(std::min(free / step_x + 1, double(shrink_columns(channels))));
    shape.phases = std::clamp(int(std::lround(step_x)), 1, 2 * int(max_stretch));
    const size_t most_bytes = std::min(largest_shrink_bytes, limits.shared_bytes_per_block);
    // Rows of texels that the busiest multiprocessor reads: high blocks repeat less work at their edges, low ones share
    // it better. Setting up a block costs about as much as 24 rows; fewer than three blocks wait for memory.
    double least = 0;
    const auto try_shape = [&](ShrinkShape tried) {
        const int texel_rows = int((tried.rows - 1) * p.yy + 2 * reach_y * rounding) + 4;
        tried.texel_rows = (texel_rows + shrink_ahead(sample) + 1) & ~1;
        const int across = (width + tried.columns - 1) / tried.columns, down = (height + tried.rows - 1) / tried.rows;
        const size_t bytes = tried.bytes(channels, sample);
        if (bytes > most_bytes || down > int(most_blocks_down)) return;
        const double blocks = std::ceil(double(across) * down / limits.multiprocessors);
        const double together =
            std::min({blocks, double(shrink_blocks(shape.slots)),
                      double(limits.shared_bytes_per_multiprocessor / (bytes + shared_bytes_of_system))});
        const double cost = blocks * (texel_rows + 24) * (std::max(1.0, 2.5 / together) + 0.2 / tried.batch);
        if (least != 0 && cost >= least) return;
        least = cost;
        shape = tried;
    };
    for (const int columns : {most_columns, (most_columns + 1) / 2, (most_columns + 3) / 4, (most_columns + 7) / 8})
        for (const int batch : {8, 4})
            for (int rows = 1; rows <= std::min(height, 128); rows += 1 + rows / 16) {
                ShrinkShape tried = shape;
                tried.columns = columns;
                tried.batch = batch;
                tried.rows = rows;
                try_shape(tried);
            }
    if (least == 0) return {};
    return shape;
}

}  // namespace texelscope
