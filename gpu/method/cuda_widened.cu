#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/widened.h"

namespace texelscope {
namespace {

template <int C> __global__ void widened_kernel(WidenedJob widened) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    const ResampleOutput& out = widened.job.output;
    if (i >= out.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < out.height; j += int(gridDim.y * blockDim.y))
        detail::widened_pixel<C>(AnySource<C>(widened.job.source), widened, i, j);
}

}  // namespace

void launch_widened(const WidenedJob& widened, CUstream_st* stream) {
    const ResampleJob& job = widened.job;
    const int channels = job.source.channels;
    const auto kernel = channels == 1 ? widened_kernel<1> : channels == 2 ? widened_kernel<2> : widened_kernel<4>;
    const detail::PixelGrid grid = detail::pixel_grid(job.output);
    launch_kernel(work::tabulated, kernel, grid.blocks, grid.block, 0, stream, widened);
}

}  // namespace texelscope
