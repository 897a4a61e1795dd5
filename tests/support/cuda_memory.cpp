#include "tests/support/backends.h"

#include <gtest/gtest.h>

#if TEXELSCOPE_WITH_CUDA

#include <cuda_runtime.h>

#include <cstdlib>
#include <cstring>

namespace texelscope::test {
namespace {

bool works(cudaError_t error) {
    EXPECT_EQ(error, cudaSuccess) << cudaGetErrorString(error);
    return error == cudaSuccess;
}

std::shared_ptr<void> registered(size_t bytes) {
    constexpr size_t page = 4096;
    const size_t whole = (bytes + page - 1) / page * page;
    void* memory = std::aligned_alloc(page, whole);
    std::memset(memory, 0, whole);
    if (works(cudaHostRegister(memory, whole, cudaHostRegisterDefault)))
        return {memory, [](void* p) { works(cudaHostUnregister(p)), std::free(p); }};
    std::free(memory);
    return nullptr;
}

}  // namespace

std::shared_ptr<void> cuda_memory(CudaMemoryKind kind, size_t bytes, int device) {
    if (kind == CudaMemoryKind::registered) return registered(bytes);
    const int before = current_cuda_device();
    set_current_cuda_device(device);
    void* memory = nullptr;
    const cudaError_t error = kind == CudaMemoryKind::device    ? cudaMalloc(&memory, bytes)
                              : kind == CudaMemoryKind::managed ? cudaMallocManaged(&memory, bytes)
                                                                : cudaMallocHost(&memory, bytes);
    std::shared_ptr<void> owner;
    if (works(error) && kind == CudaMemoryKind::pinned) {
        std::memset(memory, 0, bytes);
        owner = {memory, [](void* p) { works(cudaFreeHost(p)); }};
    } else if (error == cudaSuccess) {
        works(cudaMemset(memory, 0, bytes));
        works(cudaDeviceSynchronize());
        owner = {memory, [](void* p) { works(cudaFree(p)); }};
    }
    set_current_cuda_device(before);
    return owner;
}

int cuda_devices() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

int current_cuda_device() {
    int device = -1;
    works(cudaGetDevice(&device));
    return device;
}

void set_current_cuda_device(int device) { works(cudaSetDevice(device)); }

std::string pending_cuda_error() {
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) return cudaGetErrorString(error);
    const cudaError_t error = cudaPeekAtLastError();
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
}

}  // namespace texelscope::test

#else

namespace texelscope::test {

std::shared_ptr<void> cuda_memory(CudaMemoryKind, size_t, int) { return nullptr; }
int cuda_devices() { return 0; }
int current_cuda_device() { return 0; }
void set_current_cuda_device(int) {}
std::string pending_cuda_error() { return ""; }

}  // namespace texelscope::test

#endif
