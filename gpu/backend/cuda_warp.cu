#include "gpu/backend/cuda_warp.h"

#include "gpu/backend/job.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

__global__ void warp_kernel(WarpedGrid grid, double* points) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= grid.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < grid.height; j += int(gridDim.y * blockDim.y))
        write_warped_point(grid, i, j, points);
}

}  // namespace

void launch_warped_points(const WarpedGrid& grid, double* points, CUstream_st* stream) {
    ResampleOutput out;
    out.width = grid.width;
    out.height = grid.height;
    const detail::PixelGrid threads = detail::pixel_grid(out);
    launch_kernel(work::warp, warp_kernel, threads.blocks, threads.block, 0, stream, grid, points);
}

}  // namespace texelscope
