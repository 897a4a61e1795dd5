#pragma once
// Backend::minus and Backend::add_border on the GPU.

#include "gpu/backend/border_job.h"

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// Enqueued on the stream; all memory is the device's. Throws Error if a launch is refused.
void launch_minus(const MinusJob& job, CUstream_st* stream);
void launch_add_border(const BorderJob& job, CUstream_st* stream);

}  // namespace texelscope
