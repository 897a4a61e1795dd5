#include "gpu/backend/cuda_passes.h"

#include "gpu/backend/job.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

template <class Sample, int C> __global__ void minus_kernel(MinusJob job) {
    const auto [x, y] = detail::grid_pixel();
    if (x < job.samples.width && y < job.samples.height) write_difference<Sample, C>(job, x, y);
}

template <int C> __global__ void add_border_kernel(BorderJob job) {
    const ResampleOutput& out = job.job.output;
    const auto [i, j] = detail::grid_pixel();
    if (i < out.width && j < out.height) write_with_border<C>(job, i, j);
}

}  // namespace

void launch_minus(const MinusJob& job, CUstream_st* stream) {
    const detail::PixelGrid grid = detail::pixel_grid(job.samples.width, job.samples.height);
    detail::for_texel_type(job.samples, [&]<class Sample, int C>() {
        launch_kernel(work::border, minus_kernel<Sample, C>, grid.blocks, grid.block, 0, stream, job);
    });
}

void launch_add_border(const BorderJob& job, CUstream_st* stream) {
    const detail::PixelGrid grid = detail::pixel_grid(job.job.output);
    for_border_channels(job, [&]<int C>() {
        launch_kernel(work::border, add_border_kernel<C>, grid.blocks, grid.block, 0, stream, job);
    });
}

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
