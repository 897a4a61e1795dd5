#pragma once
// What a block of the kernels for weights from a table computes: functions of only the job and the device's limits.

#include <algorithm>
#include <cmath>
#include <optional>

#include "gpu/core/machine.h"
#include "gpu/core/platform.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

// What a block of the shrinking kernel computes: a function of only the job and the device's limits.

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
        const double blocks = std::ceil(double(across) * down * job.source.images / limits.multiprocessors);
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

// What a block of the kernels for antialiased shrinking of rotated views computes: functions of only the job and the
// device's limits.

// Where the nodes of a weight function are in a block's shared memory; see cuda_weight_table.h.

// Nodes of the weight function, after which that of the next row is stored once more: rows begin a bank further each, as the
// weights that a warp looks up are often a power of two nodes apart.
inline constexpr int weight_table_row = 256;
TS_HD unsigned weight_table_place(unsigned node) { return node + node / unsigned(weight_table_row); }

// Rows up to the radius: whole ones, as taps are whole.
inline int weight_table_rows(const AxisFilter& filter) {
    return int(std::lround(filter.radius * table_nodes)) / weight_table_row;
}

// With two zeros; a multiple of 16 bytes.
TS_HD int weight_table_floats(int rows) { return rows * (weight_table_row + 1) + 4; }

// A warp computes 8 × 4 pixels, in groups of eight whose taps lie close together.
inline constexpr int rotated_columns = 8, rotated_rows = 4, rotated_group = 8, rotated_groups = 4;
inline constexpr int most_rotated_warps = 8;
inline constexpr int rotated_blocks = 3;  // of so many warps, for whose registers a multiprocessor has room
inline constexpr int rotated_step = 16;   // texels along an axis that are multiplied at once
inline constexpr int most_rotated_steps = 5;
// Bytes of a row of texels that are copied at once: rows in shared memory are odd multiples of eight texels.
TS_HD constexpr int rotated_bytes(int channels) { return channels == 1 ? 8 : 16; }

// What a block may ask for: some bytes are the kernel's own.
inline size_t most_rotated_bytes(const DeviceLimits& limits) { return limits.shared_bytes_per_block - 16; }

struct RotatedShape {
    int warps_across = 0, warps_down = 0;
    int group_columns = 0, group_rows = 0;  // pixels
    int steps_x = 0, steps_y = 0;           // of a group's taps
    int columns = 0, rows = 0;              // texels in shared memory
    int table_rows = 0;                     // of the weight function up to its radius

    int warps() const { return warps_across * warps_down; }
    size_t bytes(int channels) const {
        return size_t(weight_table_floats(table_rows)) * sizeof(float) +
               size_t(channels) * size_t(rows) * size_t(columns);
    }
};

// As measured on an H200 (bench/view_costs): from some thirty taps on this kernel takes less time than the one of a thread per pixel;
// from more, where few warps find room on a multiprocessor.
inline bool rotated_is_faster(double taps, int warps) {
    const double waiting = std::pow(double(rotated_blocks * most_rotated_warps) / warps, 0.6);
    return taps > 32 * waiting;
}

// Whether the job shrinks a rotated view by weights that are a table's and the same for all pixels, at positions not extremely
// far from the image.
inline bool shrinks_rotated(const TabulatedJob& tabulated) {
    const ResampleJob& job = tabulated.job;
    const AxisFilter &x = tabulated.x, &y = tabulated.y;
    if (job.simple || job.points.x || job.source.one_dimensional || tabulated.local_stretch || x.pieces.pieces ||
        x.derivative || y.derivative || x.radius < 1 || x.stretch > float(max_stretch) ||
        y.stretch > float(max_stretch))
        return false;
    const Affine& p = job.positions;
    constexpr double farthest = 0x1p20;
    for (const double i : {0, job.output.width + rotated_columns * most_rotated_warps})
        for (const double j : {0, job.output.height + rotated_rows * most_rotated_warps})
            if (!(std::abs(p.x0 + p.xx * i + p.xy * j) < farthest && std::abs(p.y0 + p.yx * i + p.yy * j) < farthest))
                return false;
    return true;
}

// Samples from the first to the last of a rectangle of pixels, along x and y.
inline double rotated_span_x(const Affine& p, int columns, int rows) {
    return std::abs(p.xx) * (columns - 1) + std::abs(p.xy) * (rows - 1);
}
inline double rotated_span_y(const Affine& p, int columns, int rows) {
    return std::abs(p.yx) * (columns - 1) + std::abs(p.yy) * (rows - 1);
}

// Under the filter, at most.
inline double rotated_taps(const AxisFilter& filter) {
    constexpr double rounding = 1.001;  // of stretches in float
    return 2.0 * filter.radius * filter.stretch * rounding + 1;
}

// Empty for devices without matrix products of this kind, for samples that are not exact in 11 bits, and where pixels share too
// little.
inline std::optional<RotatedShape> rotated_shape(const TabulatedJob& tabulated, const DeviceLimits& limits) {
    const ResampleJob& job = tabulated.job;
    const AxisFilter &x = tabulated.x, &y = tabulated.y;
    if (limits.compute_capability < 80 || job.source.type != SampleType::u8 || !shrinks_rotated(tabulated)) return {};
    const Affine& p = job.positions;
    const auto span_x = [&](int columns, int rows) { return rotated_span_x(p, columns, rows); };
    const auto span_y = [&](int columns, int rows) { return rotated_span_y(p, columns, rows); };
    constexpr int pair = 2;  // columns, the first of which is even
    const double taps_x = rotated_taps(x), taps_y = rotated_taps(y);
    const auto steps = [](double texels) { return (int(texels) + rotated_step) / rotated_step; };

    RotatedShape shape;
    shape.table_rows = weight_table_rows(x);
    for (const int columns : {2, 4}) {
        const int rows = rotated_group / columns;
        const int steps_x = steps(taps_x + span_x(columns, rows) + pair - 1),
                  steps_y = steps(taps_y + span_y(columns, rows));
        if (shape.group_columns != 0 && steps_x * steps_y >= shape.steps_x * shape.steps_y) continue;
        shape.group_columns = columns;
        shape.group_rows = rows;
        shape.steps_x = steps_x;
        shape.steps_y = steps_y;
    }
    if (shape.steps_x > most_rotated_steps) return {};

    const int channels = job.source.channels;
    const int group_columns = shape.group_columns, group_rows = shape.group_rows;
    int most_warps = 0;  // on a multiprocessor
    for (const auto& [across, down] : {std::pair{2, 4}, {2, 2}, {1, 2}}) {
        RotatedShape tried = shape;
        tried.warps_across = across;
        tried.warps_down = down;
        const int columns = across * rotated_columns, rows = down * rotated_rows;
        // From the first tap of all to the first one of the last group, and this group's.
        const auto texels = [](double of_block, double of_group, int group_steps) {
            return int(of_block - of_group) + 2 + group_steps * rotated_step;
        };
        tried.columns = texels(span_x(columns, rows), span_x(group_columns, group_rows), shape.steps_x) +
                        rotated_bytes(channels) / channels - 1;
        tried.columns = ((tried.columns + 7) / 8 | 1) * 8;  // odd: the eight rows of a product lie in different banks
        tried.rows = texels(span_y(columns, rows), span_y(group_columns, group_rows), shape.steps_y);
        const size_t bytes = tried.bytes(channels);
        if (bytes > most_rotated_bytes(limits) || (job.output.height + rows - 1) / rows > int(most_blocks_down))
            continue;
        const size_t blocks = std::min(limits.shared_bytes_per_multiprocessor / (bytes + shared_bytes_of_system),
                                       size_t(rotated_blocks * most_rotated_warps / tried.warps()));
        const int warps = int(blocks) * tried.warps();
        if (warps <= most_warps) continue;
        most_warps = warps;
        shape = tried;
    }
    constexpr int least_warps = 4;  // fewer wait for memory
    if (most_warps < least_warps || !rotated_is_faster((taps_x - 1) * (taps_y - 1), most_warps)) return {};
    return shape;
}

// What a block of the kernel for antialiased shrinking of rotated views of any samples computes: a function of only the job
// and the device's limits.

inline constexpr int rotated_any_lanes = 32;  // columns of texels at once

struct RotatedAnyShape {
    int warps = 0;                          // of a block, side by side; 8 × 4 pixels each
    int group_columns = 0, group_rows = 0;  // pixels
    int columns = 0, rows = 0;              // texels under a group; columns in whole warps
    int table_rows = 0;

    TS_HD int weights() const { return (columns + rows) * rotated_group; }  // of a warp
    size_t bytes() const {
        return (size_t(weight_table_floats(table_rows)) + size_t(warps) * size_t(weights())) * sizeof(float);
    }
};

// As measured on an H200 (bench/view_costs): from 80 taps on this kernel takes less time than the one of a thread per pixel, for
// one channel; from 64 to 150, by what the samples are, for four.
inline constexpr double least_rotated_any_taps = 100;

// Empty for other jobs than shrinks_rotated(), and where pixels share too little.
inline std::optional<RotatedAnyShape> rotated_any_shape(const TabulatedJob& tabulated, const DeviceLimits& limits) {
    if (!shrinks_rotated(tabulated)) return {};
    const ResampleJob& job = tabulated.job;
    const double taps_x = rotated_taps(tabulated.x), taps_y = rotated_taps(tabulated.y);
    if ((taps_x - 1) * (taps_y - 1) < least_rotated_any_taps) return {};
    RotatedAnyShape shape;
    shape.table_rows = weight_table_rows(tabulated.x);
    for (const int columns : {1, 2, 4, 8}) {
        const int rows = rotated_group / columns;
        if (columns > rotated_columns || rows > rotated_rows) continue;
        const int wide = int(taps_x + rotated_span_x(job.positions, columns, rows)) + 1,
                  high = int(taps_y + rotated_span_y(job.positions, columns, rows)) + 1;
        const int whole = (wide + rotated_any_lanes - 1) / rotated_any_lanes * rotated_any_lanes;
        if (shape.group_columns != 0 && whole * high >= shape.columns * shape.rows) continue;
        shape.group_columns = columns;
        shape.group_rows = rows;
        shape.columns = whole;
        shape.rows = high;
    }
    if ((job.output.height + rotated_rows - 1) / rotated_rows > int(most_blocks_down)) return {};
    for (shape.warps = most_rotated_warps; shape.warps > 0; shape.warps /= 2)
        if (shape.bytes() <= std::min(limits.shared_bytes_per_block, limits.shared_bytes_per_multiprocessor / 2))
            return shape;
    return {};
}

}  // namespace texelscope
