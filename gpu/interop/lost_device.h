#pragma once
// Devices that have stopped for good, and how to make one stop.

#include "gpu/backend/backend.h"

namespace texelscope {

// Gives up all that this process has on a CUDA device, so that a new context can be made there: cudaDeviceReset. For a
// program, not for a library: whatever else uses the device in this process is gone as well, and every owner of its
// memory must have been destroyed before. Whether it helped is what asking the device tells (see device_choice.h).
void reset_cuda_device(int device);

// For tests. CUDA: enqueues a kernel that writes to an illegal address, after which the context is lost; it will be found
// out later, as any such error. CPU: throws DeviceLost.
void break_device(Backend& backend);

}  // namespace texelscope
