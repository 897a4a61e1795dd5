#pragma once
// What a block of the kernel for antialiased shrinking of rotated views of any samples computes: a function of only the job
// and the device's limits.

#include <algorithm>
#include <optional>

#include "gpu/core/device_limits.h"
#include "gpu/method/turned_shape.h"

namespace texelscope {

inline constexpr int turned_any_lanes = 32;  // columns of texels at once

struct TurnedAnyShape {
    int warps = 0;                          // of a block, side by side; 8 × 4 pixels each
    int group_columns = 0, group_rows = 0;  // pixels
    int columns = 0, rows = 0;              // texels under a group; columns in whole warps
    int table_rows = 0;

    TS_HD int weights() const { return (columns + rows) * turned_group; }  // of a warp
    size_t bytes() const {
        return (size_t(weight_table_floats(table_rows)) + size_t(warps) * size_t(weights())) * sizeof(float);
    }
};

// As measured on an H200 (bench/view_costs): from 80 taps on this kernel takes less time than the one of a thread per pixel, for
// one channel; from 64 to 150, by what the samples are, for four.
inline constexpr double least_turned_any_taps = 100;

// Empty for other jobs than shrinks_turned(), and where pixels share too little.
inline std::optional<TurnedAnyShape> turned_any_shape(const TabulatedJob& tabulated, const DeviceLimits& limits) {
    if (!shrinks_turned(tabulated)) return {};
    const ResampleJob& job = tabulated.job;
    const double taps_x = turned_taps(tabulated.x), taps_y = turned_taps(tabulated.y);
    if ((taps_x - 1) * (taps_y - 1) < least_turned_any_taps) return {};
    TurnedAnyShape shape;
    shape.table_rows = weight_table_rows(tabulated.x);
    for (const int columns : {1, 2, 4, 8}) {
        const int rows = turned_group / columns;
        if (columns > turned_columns || rows > turned_rows) continue;
        const int wide = int(taps_x + turned_span_x(job.positions, columns, rows)) + 1,
                  high = int(taps_y + turned_span_y(job.positions, columns, rows)) + 1;
        const int whole = (wide + turned_any_lanes - 1) / turned_any_lanes * turned_any_lanes;
        if (shape.group_columns != 0 && whole * high >= shape.columns * shape.rows) continue;
        shape.group_columns = columns;
        shape.group_rows = rows;
        shape.columns = whole;
        shape.rows = high;
    }
    if ((job.output.height + turned_rows - 1) / turned_rows > int(most_blocks_down)) return {};
    for (shape.warps = most_turned_warps; shape.warps > 0; shape.warps /= 2)
        if (shape.bytes() <= std::min(limits.shared_bytes_per_block, limits.shared_bytes_per_multiprocessor / 2))
            return shape;
    return {};
}

}  // namespace texelscope
