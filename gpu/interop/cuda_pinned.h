#pragma once
// Host memory that the GPU reads and writes directly.

#include "gpu/backend/cuda_handles.h"

namespace texelscope {

using PinnedMemory = CudaOwner<void*, cudaFreeHost>;

// Throws OutOfMemory or Error, starting with `what`.
inline PinnedMemory allocate_pinned_memory(size_t bytes, const char* what) {
    void* memory = nullptr;
    cuda_check(cudaMallocHost(&memory, bytes), what);
    return PinnedMemory(memory);
}

}  // namespace texelscope
