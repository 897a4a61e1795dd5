#pragma once
// What a block of the kernels for antialiased shrinking of rotated views computes: functions of only the job and the
// device's limits.

#include <algorithm>
#include <cmath>
#include <optional>

#include "gpu/core/device_limits.h"
#include "gpu/core/platform.h"
#include "gpu/method/tabulated.h"

namespace texelscope {

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
