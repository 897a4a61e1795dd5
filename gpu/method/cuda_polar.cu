#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/mip.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

template <int C> __global__ void __launch_bounds__(256, 4) polar_kernel(PolarJob polar) {
    const auto [i, j] = detail::grid_pixel(polar.job.source.images);
    detail::take_image(polar.job);
    if (i < polar.job.output.width && j < polar.job.output.height)
        detail::polar_pixel<C>(AnySource<C>(polar.job.source), polar, i, j);
}

static_assert(sizeof(MipJob) <= 4096, "a kernel takes no more");
template <int C> __global__ void __launch_bounds__(256, 4) mip_kernel(MipJob mip) {
    const auto [i, j] = detail::grid_pixel();
    if (i < mip.job.output.width && j < mip.job.output.height) detail::mip_pixel<C>(mip, i, j);
}

}  // namespace

void launch_mip(const MipJob& mip, const DeviceQueue& queue) {
    const int channels = mip.job.source.channels;
    const auto kernel = channels == 1 ? mip_kernel<1> : channels == 2 ? mip_kernel<2> : mip_kernel<4>;
    const detail::PixelGrid grid = detail::pixel_grid(mip.job.output);
    launch_kernel(work::mip, kernel, grid.blocks, grid.block, 0, queue.stream, mip);
}

void launch_polar(const PolarJob& polar, const DeviceQueue& queue) {
    const int channels = polar.job.source.channels;
    const auto kernel = channels == 1 ? polar_kernel<1> : channels == 2 ? polar_kernel<2> : polar_kernel<4>;
    const detail::PixelGrid grid = detail::pixel_grid(polar.job);
    launch_kernel(work::polar, kernel, grid.blocks, grid.block, 0, queue.stream, polar);
}

}  // namespace texelscope
