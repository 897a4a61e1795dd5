#include "gpu/method/cuda_grid.h"

#include "gpu/method/output.h"

namespace texelscope {
namespace {

constexpr int columns = 32, rows = 8, pixels = 8;  // of a block's threads; of a thread, down a column

__device__ bool is_outside(const ResampleJob& job, const FixedAffine& f, int i, int j) {
    return is_beyond_samples(split(f, f.x0 + i * f.xx + j * f.xy), job.source.width) ||
           is_beyond_samples(split(f, f.y0 + i * f.yx + j * f.yy), job.source.height);
}

template <int C> __device__ void write_nan(const ResampleOutput& out, int i, int j) {
    if (out.rgba8) store_rgba8(out, i, j, to_rgba8(Pixel<C>::nan(), out.channels, out.has_alpha));
    else store_floats(out, i, j, Pixel<C>::nan());
}

// Where the corners of a block are inside, all of it is: the image is convex.
template <int C> __global__ void nan_outside_kernel(ResampleJob job, FixedAffine f) {
    const int left = int(blockIdx.x) * columns, top = int(blockIdx.y) * rows * pixels;
    const int right = left + columns - 1, bottom = top + rows * pixels - 1;
    if (!is_outside(job, f, left, top) && !is_outside(job, f, right, top) && !is_outside(job, f, left, bottom) &&
        !is_outside(job, f, right, bottom))
        return;
    const int i = left + int(threadIdx.x);
    if (i >= job.output.width) return;
    for (int k = 0; k < pixels; ++k) {
        const int j = top + int(threadIdx.y) + k * rows;
        if (j < job.output.height && is_outside(job, f, i, j)) write_nan<C>(job.output, i, j);
    }
}

}  // namespace

void launch_nan_outside(const ResampleJob& batch, const FixedAffine& positions, const DeviceQueue& queue) {
    const dim3 blocks(unsigned(batch.output.width + columns - 1) / columns,
                      unsigned(batch.output.height + rows * pixels - 1) / (rows * pixels));
    const auto kernel = batch.output.channels == 1   ? nan_outside_kernel<1>
                        : batch.output.channels == 2 ? nan_outside_kernel<2>
                                                     : nan_outside_kernel<4>;
    for (int k = 0; k < batch.source.images; ++k)
        launch_kernel(work::nan_outside, kernel, blocks, dim3(columns, rows), 0, queue.stream, image_of(batch, k),
                      positions);
}

}  // namespace texelscope
