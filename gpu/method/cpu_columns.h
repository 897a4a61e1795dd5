#pragma once
// What SeparableWriter prepares once for a job.

#include "gpu/method/cpu_separable.h"

namespace texelscope {

enum class Axis { x, y };

// By the method's weights, or by those of a widened job.
AxisTaps taps_along(Axis axis, const ResampleJob& job, const AxisWeights& weights, const simd::Kernels& kernels);
AxisTaps taps_along(Axis axis, const WidenedJob& job, const simd::Kernels& kernels);

// Tiles of columns for a row of texels.
std::vector<ColumnTile> column_tiles(const TexelArray& texels, const AxisTaps& columns);

}  // namespace texelscope
