#pragma once
// Backend::write_warped_points on the GPU.

#include "gpu/core/view.h"
#include "gpu/core/warp.h"

struct CUstream_st;

namespace texelscope {

// Enqueued on the stream; `points` is device memory. Throws Error where the launch is refused.
void launch_warped_points(const Warp& warp, int image_width, int image_height, const Affine& positions, int width,
                          int height, double* points, CUstream_st* stream);

}  // namespace texelscope
