#pragma once
// The kernel for antialiased shrinking of rotated views of 8-bit samples.

#include "gpu/core/work_names.h"
#include "gpu/method/turned_shape.h"

namespace texelscope {

namespace work {
inline constexpr WorkName turned{"interpolation, shrinking and turning"};
}

// Whether the kernel can run on the current device as this program has it: code that was compiled for a compute capability
// below 8.0 has no matrix products, wherever it runs.
bool turned_is_compiled();

// Enqueues the job, whose shape this is, if turned_is_compiled(). Throws Error if the launch is refused.
void launch_turned(const TabulatedJob& tabulated, const TurnedShape& shape, const DeviceQueue& queue);

}  // namespace texelscope
