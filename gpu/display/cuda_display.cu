#include <cuda_runtime.h>

#include "gpu/display/pixel.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

__global__ void display_kernel(DisplayJob job) {
    const auto [i, j] = detail::grid_pixel();
    if (i < job.width && j < job.height) display_pixel(job, i, j);
}

}  // namespace

void launch_display(const DisplayJob& job, CUstream_st* stream) {
    const detail::PixelGrid grid = detail::pixel_grid(job.width, job.height);
    launch_kernel(work::display, display_kernel, grid.blocks, grid.block, 0, stream, job);
}

}  // namespace texelscope
