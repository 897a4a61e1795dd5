#pragma once
// Devices that have stopped for good, and how to make one stop.

#include "gpu/backend/backend.h"

namespace texelscope {

// Gives up everything this process has on a CUDA device, so that a new context can be made there: cudaDeviceReset. For
// a program, not for a library: anything else that uses the device in this process is lost as well, and every owner of
// its memory must have been destroyed before. To find out whether it helped, ask the device (see device_choice.h).
void reset_cuda_device(int device);

// For tests. CUDA: enqueues a kernel that writes to an illegal address, after which the context is lost; the error is
// found later, like any other. It can leave the whole machine slow for minutes, hence `pretended`, which only throws
// DeviceLost, as the CPU always does.
enum class Loss { real, pretended };
void break_device(Backend& backend, Loss loss = Loss::real);

#if TEXELSCOPE_WITH_CUDA
// For those two.
void reset_device(int device);
void write_to_illegal_address(Backend& backend);
#endif

}  // namespace texelscope
