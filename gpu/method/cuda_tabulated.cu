#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/tabulated.h"

namespace texelscope {
namespace {

template <int C, bool by_pieces> __global__ void tabulated_kernel(TabulatedJob tabulated) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    const ResampleOutput& out = tabulated.job.output;
    if (i >= out.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < out.height; j += int(gridDim.y * blockDim.y))
        detail::tabulated_pixel<C, by_pieces>(AnySource<C>(tabulated.job.source), tabulated, i, j);
}

template <bool by_pieces> auto kernel_for(const ResampleJob& job) {
    const int channels = job.source.channels;
    return channels == 1   ? tabulated_kernel<1, by_pieces>
           : channels == 2 ? tabulated_kernel<2, by_pieces>
                           : tabulated_kernel<4, by_pieces>;
}

}  // namespace

void launch_tabulated(const TabulatedJob& tabulated, const DeviceQueue& queue) {
    const ResampleJob& job = tabulated.job;
    if (const auto shape = shrink_shape(tabulated, queue.limits)) return launch_shrink(tabulated, *shape, queue);
    const auto kernel = tabulated.x.pieces.pieces ? kernel_for<true>(job) : kernel_for<false>(job);
    const detail::PixelGrid grid = detail::pixel_grid(job.output);
    launch_kernel(work::tabulated, kernel, grid.blocks, grid.block, 0, queue.stream, tabulated);
}

}  // namespace texelscope
