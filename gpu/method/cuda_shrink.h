#pragma once
// The kernel for antialiased shrinking without rotation.

#include "gpu/method/shrink_shape.h"

namespace texelscope {

// Enqueues the job, whose shape this is. Throws Error if the launch is refused.
void launch_shrink(const TabulatedJob& job, const ShrinkShape& shape, const DeviceQueue& queue);

}  // namespace texelscope
