#include <cuda_runtime.h>

#include "gpu/display/pixel.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

__global__ void display_kernel(DisplayJob job) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= job.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < job.height; j += int(gridDim.y * blockDim.y))
        display_pixel(job, i, j);
}

}  // namespace

void launch_display(const DisplayJob& job, CUstream_st* stream) {
    ResampleOutput out;
    out.width = job.width;
    out.height = job.height;
    const detail::PixelGrid grid = detail::pixel_grid(out);
    launch_kernel(work::display, display_kernel, grid.blocks, grid.block, 0, stream, job);
}

}  // namespace texelscope
