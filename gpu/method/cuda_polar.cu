#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

template <int C> __global__ void __launch_bounds__(256, 4) polar_kernel(PolarJob polar) {
    const auto [i, j] = detail::grid_pixel(polar.job.source.images);
    detail::take_image(polar.job);
    if (i < polar.job.output.width && j < polar.job.output.height)
        detail::polar_pixel<C>(AnySource<C>(polar.job.source), polar, i, j);
}

}  // namespace

void launch_polar(const PolarJob& polar, const DeviceQueue& queue) {
    const int channels = polar.job.source.channels;
    const auto kernel = channels == 1 ? polar_kernel<1> : channels == 2 ? polar_kernel<2> : polar_kernel<4>;
    const detail::PixelGrid grid = detail::pixel_grid(polar.job);
    launch_kernel(work::polar, kernel, grid.blocks, grid.block, 0, queue.stream, polar);
}

}  // namespace texelscope
