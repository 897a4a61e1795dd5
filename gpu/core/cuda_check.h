#pragma once
// CUDA's error codes as exceptions, and launches that report their own errors alone. Only where CUDA is.

#include <cuda_runtime.h>

#include <utility>

#include "gpu/core/device_limits.h"

namespace texelscope {

// What no later call on the same context recovers from.
bool is_device_lost(cudaError_t error);

// Throws OutOfMemory, DeviceLost or Error with "WHAT: CUDA's own words"; does nothing for cudaSuccess. The error is no
// longer CUDA's last one then, so that the caller's own calls do not find it.
void cuda_check(cudaError_t error, const char* what);

// The same for the launch of a kernel: "the GPU refused the NAME kernel: …".
void check_launch(cudaError_t error, const char* name);

// Where a failure has no consequence (a destructor, a probe): CUDA forgets it.
inline void cuda_ignore(cudaError_t error) {
    if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
}

#if defined(__CUDACC__)
// Lets launches of the kernel ask for up to so many bytes of dynamic shared memory. Throws as cuda_check.
template <class... Parameters> void allow_shared_memory(const char* name, void (*kernel)(Parameters...), size_t bytes) {
    if (bytes > shared_bytes_without_opting_in)
        check_launch(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)), name);
}

// Enqueues kernel(arguments…). `name` is the kernel's in messages: "interpolation". Throws as cuda_check. An earlier
// error of the caller's own calls is neither reported nor taken away.
template <class... Parameters, class... Arguments>
void launch_kernel(const char* name, void (*kernel)(Parameters...), dim3 blocks, dim3 threads, size_t shared_bytes,
                   cudaStream_t stream, Arguments&&... arguments) {
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    check_launch(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), name);
}
#endif

}  // namespace texelscope
