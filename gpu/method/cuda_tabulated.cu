#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/tabulated.h"

namespace texelscope {
namespace {

template <int C> __global__ void tabulated_kernel(TabulatedJob tabulated) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    const ResampleOutput& out = tabulated.job.output;
    if (i >= out.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < out.height; j += int(gridDim.y * blockDim.y))
        detail::tabulated_pixel<C>(AnySource<C>(tabulated.job.source), tabulated, i, j);
}

}  // namespace

void launch_tabulated(const TabulatedJob& tabulated, const DeviceQueue& queue) {
    const ResampleJob& job = tabulated.job;
    if (const auto shape = shrink_shape(tabulated, queue.limits)) return launch_shrink(tabulated, *shape, queue);
    const int channels = job.source.channels;
    const auto kernel = channels == 1 ? tabulated_kernel<1> : channels == 2 ? tabulated_kernel<2> : tabulated_kernel<4>;
    const detail::PixelGrid grid = detail::pixel_grid(job.output);
    launch_kernel(work::tabulated, kernel, grid.blocks, grid.block, 0, queue.stream, tabulated);
}

}  // namespace texelscope
