#pragma once
// The CUDA backend, for those who know that the build has one. No CUDA header here.

#include "gpu/backend/backend.h"

namespace texelscope {

// On the caller's stream, or one of its own where that is null. Throws Error where the device cannot be used.
std::shared_ptr<Backend> make_cuda_backend(int device, CUstream_st* stream = nullptr);

// One sentence where no CUDA device can be used; empty where one can.
std::string why_no_cuda_device();

}  // namespace texelscope
