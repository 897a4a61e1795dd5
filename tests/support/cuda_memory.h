#pragma once
// CUDA as used by a caller of the library, without a CUDA header: memory of every kind, and the current device.

#include <cstddef>
#include <memory>
#include <string>

namespace texelscope::test {

enum class CudaMemoryKind { device, managed, pinned, registered };

// `bytes` of zeros; registered: pageable memory of the host, registered with CUDA. Fails the test and returns null if
// it is unavailable.
std::shared_ptr<void> cuda_memory(CudaMemoryKind kind, size_t bytes, int device = 0);

// Zero in builds without CUDA.
int cuda_devices();

// For the calling thread.
int current_cuda_device();
void set_current_cuda_device(int device);

// What cudaPeekAtLastError returns; empty for no error. Waits for the device first, which finds errors of kernels.
std::string pending_cuda_error();

}  // namespace texelscope::test
