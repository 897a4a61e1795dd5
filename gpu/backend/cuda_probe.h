#pragma once
// Whether kernels of this program run on a device: one is launched there.

#include <cuda_runtime.h>

#include "gpu/backend/device_choice.h"

namespace texelscope {

struct ProbeResult {
    cudaError_t error = cudaSuccess;
    bool right = false;  // the kernel wrote what it should
    CodeVersions code;   // of the code that ran there
};

// On the calling thread's current device. Clears CUDA's error afterwards, unless it is permanent.
ProbeResult probe_current_device();

// For this program's code on the current device. Throws Error.
CodeVersions code_on_current_device();

}  // namespace texelscope
