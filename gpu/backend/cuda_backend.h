#pragma once
// The CUDA backend, for those who know that the build has one. No CUDA header here.

#include "gpu/backend/backend.h"

namespace texelscope {

// Throws Unavailable for a device that is not there, Error where it cannot be used.
std::shared_ptr<Backend> make_cuda_backend(const CudaOptions& options);

// One sentence where no CUDA device can be used; empty where one can.
std::string why_no_cuda_device();

}  // namespace texelscope
