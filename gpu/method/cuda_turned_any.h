#pragma once
// The kernel for antialiased shrinking of rotated views of samples of any type.

#include "gpu/core/work_names.h"
#include "gpu/method/turned_any_shape.h"

namespace texelscope {

namespace work {
inline constexpr WorkName turned_any{"interpolation, shrinking and turning, any samples"};
}

// Enqueues the job, whose shape this is. Throws Error if the launch is refused.
void launch_turned_any(const TabulatedJob& tabulated, const TurnedAnyShape& shape, const DeviceQueue& queue);

}  // namespace texelscope
