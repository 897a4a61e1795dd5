#pragma once
// CUDA as a caller of the library uses it, without a CUDA header: memory of every kind, and the current device.

#include <cstddef>
#include <memory>
#include <string>

namespace test_support {

enum class CudaMemoryKind { device, managed, pinned, registered };

// `bytes` of zeros; registered: pageable memory of the host that CUDA was told of. Fails the test and is null where it
// cannot be had.
std::shared_ptr<void> cuda_memory(CudaMemoryKind kind, size_t bytes, int device = 0);

// Zero in builds without CUDA.
int cuda_devices();

// Of the calling thread.
int current_cuda_device();
void set_current_cuda_device(int device);

// What cudaPeekAtLastError says; empty for no error. Waits for the device first, which finds what a kernel did.
std::string pending_cuda_error();

}  // namespace test_support
