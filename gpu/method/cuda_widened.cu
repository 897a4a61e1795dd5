#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/widened.h"

namespace texelscope {
namespace {

template <class Source> __global__ void widened_kernel(Source source, WidenedJob widened) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    const ResampleOutput& out = widened.job.output;
    if (i >= out.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < out.height; j += int(gridDim.y * blockDim.y))
        detail::widened_pixel<Source::channels>(source, widened, i, j);
}

}  // namespace

void launch_widened(const WidenedJob& widened, CUstream_st* stream) {
    const ResampleJob& job = widened.job;
    detail::for_texel_type(job.source, [&]<class Sample, int C>() {
        using Source = LinearSource<Sample, C>;
        const detail::PixelGrid grid = detail::pixel_grid(job.output);
        launch_kernel("interpolation", widened_kernel<Source>, grid.blocks, grid.block, 0, stream, Source(job.source), widened);
    });
}

}  // namespace texelscope
