#pragma once
// The kernels for weights from a table whose blocks share texels: antialiased shrinking. Each enqueues a job, whose shape
// this is, and throws Error if the launch is refused.

#include "gpu/core/timing.h"
#include "gpu/method/block_shapes.h"

namespace texelscope {

namespace work {
inline constexpr WorkName rotated{"interpolation, shrinking and rotating"},
    rotated_any{"interpolation, shrinking and rotating, any samples"};
}

// Without rotation.
void launch_shrink(const TabulatedJob& job, const ShrinkShape& shape, const DeviceQueue& queue);

// Rotated views of 8-bit samples, if the kernel can run on the current device as this program has it: code that was
// compiled for a compute capability below 8.0 has no matrix products, wherever it runs.
bool rotated_is_compiled();
void launch_rotated(const TabulatedJob& tabulated, const RotatedShape& shape, const DeviceQueue& queue);

// Rotated views of samples of any type.
void launch_rotated_any(const TabulatedJob& tabulated, const RotatedAnyShape& shape, const DeviceQueue& queue);

}  // namespace texelscope
