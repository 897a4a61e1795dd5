#pragma once
// Whether kernels of this program run on a device: one is launched there.

#include <cuda_runtime.h>

namespace texelscope {

struct ProbeResult {
    cudaError_t error = cudaSuccess;
    bool right = false;                       // the kernel wrote what it should
    int binary_version = 0, ptx_version = 0;  // of its code there, 10 · major + minor
};

// On the calling thread's current device. CUDA has forgotten the error afterwards, unless it is for good.
ProbeResult probe_current_device();

}  // namespace texelscope
