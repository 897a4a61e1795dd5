#pragma once
// CUDA's error codes as exceptions, and launches that report only their own errors. Only in builds with CUDA.

#include <cuda_runtime.h>

#include <utility>

#include "gpu/core/machine.h"
#include "gpu/core/timing.h"

namespace texelscope {

// Errors from which no later call on the same context recovers.
bool is_device_lost(cudaError_t error);

// Throws OutOfMemory, DeviceLost or Error with "WHAT: CUDA's own words"; does nothing for cudaSuccess. The error is
// then no longer CUDA's last one, so that the caller's own calls do not find it.
void cuda_check(cudaError_t error, const char* what);

// Throws as cuda_check() for the launch of a kernel: "the GPU refused the kernel 'NAME': …".
void check_launch(cudaError_t error, const WorkName& work);

// When a failure has no consequence (a destructor, a probe): clears CUDA's error.
inline void cuda_ignore(cudaError_t error) {
    if (error != cudaSuccess) static_cast<void>(cudaGetLastError());
}

#if defined(__CUDACC__)
// Lets launches of the kernel request up to this many bytes of dynamic shared memory. Throws like cuda_check.
template <class... Parameters>
void allow_shared_memory(const WorkName& work, void (*kernel)(Parameters...), size_t bytes) {
    if (bytes > shared_bytes_without_opting_in)
        check_launch(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)), work);
}

// Enqueues kernel(arguments…), as `work` to profilers and in messages. Throws like cuda_check. An earlier error of the
// caller's own calls is neither reported nor cleared.
template <class... Parameters, class... Arguments>
void launch_kernel(const WorkName& work, void (*kernel)(Parameters...), dim3 blocks, dim3 threads, size_t shared_bytes,
                   cudaStream_t stream, Arguments&&... arguments) {
    const ProfilerRange range(work);
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    check_launch(cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...), work);
}
#endif

}  // namespace texelscope
