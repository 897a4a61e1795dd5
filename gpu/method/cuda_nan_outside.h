#pragma once
// What is outside the samples, where that is to be NaN: written over a picture whose kernel has extended the image, so
// that no kernel that interpolates has to decide it.

#include "gpu/core/device_limits.h"
#include "gpu/method/fixed_affine.h"

namespace texelscope {

// Enqueues it for a job whose outside is NaN. Throws Error if the launch is refused.
void launch_nan_outside(const ResampleJob& job, const FixedAffine& positions, const DeviceQueue& queue);

}  // namespace texelscope
