#pragma once
// Backend::write_warped_points on the GPU.

#include "gpu/backend/backend.h"

namespace texelscope {

// Enqueued on the stream; `points` is device memory. Throws Error if the launch is refused.
void launch_warped_points(const WarpedGrid& grid, double* points, CUstream_st* stream);

}  // namespace texelscope
