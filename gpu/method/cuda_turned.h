#pragma once
// The kernel for antialiased shrinking of rotated views of 8-bit samples.

#include "gpu/core/work_names.h"
#include "gpu/method/turned_shape.h"

namespace texelscope {

namespace work {
inline constexpr WorkName turned{"interpolation, shrinking and turning"};
}

// Enqueues the job, whose shape this is. Throws Error if the launch is refused.
void launch_turned(const TabulatedJob& tabulated, const TurnedShape& shape, const DeviceQueue& queue);

}  // namespace texelscope
