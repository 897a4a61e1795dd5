#pragma once
// The CUDA backend, for files that know that the build has one. No CUDA header here.

#include "gpu/backend/backend.h"

namespace texelscope {

// On options.device, which is required. Throws OutOfMemory, DeviceLost or Error if it cannot be used.
std::shared_ptr<Backend> make_cuda_backend(const CudaOptions& options);

}  // namespace texelscope
