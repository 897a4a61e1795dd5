#pragma once
// What the CUDA backend computes besides plain resampling: borders, the points of a warp.

#include "gpu/backend/backend.h"
#include "gpu/backend/border_job.h"

struct CUstream_st;  // cudaStream_t without a CUDA header

namespace texelscope {

// Backend::minus and Backend::add_border on the GPU.

// Enqueued on the stream; all memory is the device's. Throws Error if a launch is refused.
void launch_minus(const MinusJob& job, CUstream_st* stream);
void launch_add_border(const BorderJob& job, CUstream_st* stream);

// Backend::write_warped_points on the GPU.

// Enqueued on the stream; `points` is device memory. Throws Error if the launch is refused.
void launch_warped_points(const WarpedGrid& grid, double* points, CUstream_st* stream);

}  // namespace texelscope
