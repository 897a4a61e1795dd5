#pragma once
// The CUDA backend, for those who know that the build has one. No CUDA header here.

#include "gpu/backend/backend.h"

namespace texelscope {

// On options.device, which must be there. Throws OutOfMemory, DeviceLost or Error where it cannot be used.
std::shared_ptr<Backend> make_cuda_backend(const CudaOptions& options);

}  // namespace texelscope
