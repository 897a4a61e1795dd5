#include "gpu/backend/cuda_warp.h"

#include "gpu/backend/job.h"

namespace texelscope {
namespace {

__global__ void warp_kernel(Warp warp, int image_width, int image_height, Affine positions, ResampleOutput out, double* points) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= out.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < out.height; j += int(gridDim.y * blockDim.y))
        write_warped_point(warp, image_width, image_height, positions, i, j, out.width, points);
}

}  // namespace

void launch_warped_points(const Warp& warp, int image_width, int image_height, const Affine& positions, int width,
                          int height, double* points, CUstream_st* stream) {
    ResampleOutput out;
    out.width = width;
    out.height = height;
    const detail::PixelGrid grid = detail::pixel_grid(out);
    warp_kernel<<<grid.blocks, grid.block, 0, stream>>>(warp, image_width, image_height, positions, out, points);
    detail::check_launch("warp");
}

}  // namespace texelscope
