#pragma once
// The shape of a launch with one thread per pixel.

#include <cuda_runtime.h>

#include "gpu/core/cuda_check.h"
#include "gpu/method/resample_job.h"

namespace texelscope {
namespace detail {

struct PixelGrid {
    dim3 blocks, block;
};

// One thread per pixel; kernels stride over the rows beyond the grid's limit.
inline PixelGrid pixel_grid(int width, int height) {
    const dim3 block(32, 8);
    const unsigned columns = (unsigned(width) + block.x - 1) / block.x;
    const unsigned rows = (unsigned(height) + block.y - 1) / block.y;
    return {dim3(columns, rows < most_blocks_down ? rows : most_blocks_down), block};
}
inline PixelGrid pixel_grid(const ResampleOutput& out) { return pixel_grid(out.width, out.height); }

}  // namespace detail
}  // namespace texelscope
