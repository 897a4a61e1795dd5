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

// One thread per pixel; blocks beyond the limit of a grid's rows are in further layers. A loop over rows instead would keep
// what is the same in all of them in registers, also where there is only one.
inline PixelGrid pixel_grid(int width, int height) {
    const dim3 block(32, 8);
    const unsigned columns = (unsigned(width) + block.x - 1) / block.x;
    const unsigned rows = (unsigned(height) + block.y - 1) / block.y;
    const unsigned layers = (rows + most_blocks_down - 1) / most_blocks_down;
    return {dim3(columns, layers > 1 ? most_blocks_down : rows, layers), block};
}
inline PixelGrid pixel_grid(const ResampleOutput& out) { return pixel_grid(out.width, out.height); }

// The thread's pixel, perhaps beyond the last column or row.
struct GridPixel {
    int i, j;
};
__device__ inline GridPixel grid_pixel() {
    return {int(blockIdx.x * blockDim.x + threadIdx.x),
            int((blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y)};
}

}  // namespace detail
}  // namespace texelscope
