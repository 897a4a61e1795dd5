#include "gpu/backend/cuda_warp.h"

#include "gpu/backend/job.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

__global__ void warp_kernel(WarpedGrid grid, double* points) {
    const auto [i, j] = detail::grid_pixel();
    if (i < grid.width && j < grid.height) write_warped_point(grid, i, j, points);
}

}  // namespace

void launch_warped_points(const WarpedGrid& grid, double* points, CUstream_st* stream) {
    const detail::PixelGrid threads = detail::pixel_grid(grid.width, grid.height);
    launch_kernel(work::warp, warp_kernel, threads.blocks, threads.block, 0, stream, grid, points);
}

}  // namespace texelscope
