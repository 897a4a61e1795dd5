#pragma once
// What SeparableWriter prepares once per job.

#include "gpu/method/cpu_separable.h"

namespace texelscope {

enum class Axis { x, y };

// By the method's weights, or by those of a table.
AxisTaps taps_along(Axis axis, const ResampleJob& job, const AxisWeights& weights, const simd::Kernels& kernels);
AxisTaps taps_along(Axis axis, const TabulatedJob& job, const simd::Kernels& kernels);

// The tiles, of this many columns.
std::vector<ColumnTile> column_tiles(const TexelArray& texels, const AxisTaps& columns, int tile_columns);

}  // namespace texelscope
