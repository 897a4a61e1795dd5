#pragma once
// A kernel that evaluates each pixel separately at a fixed-point position, several pixels of a column per thread, so
// that their fetches are under way together.

#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_output.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace detail {

template <int C, int pixels, OutputKind kind, class Evaluator>
__global__ void __launch_bounds__(direct_columns* direct_rows)
    direct_kernel(Evaluator evaluate, ResampleJob job, FixedAffine f) {
    const int i = int(blockIdx.x) * direct_columns + int(threadIdx.x);
    const int first = int(blockIdx.y) * direct_rows * pixels + int(threadIdx.y);
    const int rows_left = job.output.height - first;
    if (i >= job.output.width) return;
    const TexelArray& a = job.source;
    long long x = f.x0 + i * f.xx + first * f.xy, y = f.y0 + i * f.yx + first * f.yy;
    Pixel<C> values[pixels];
    bool outside[pixels];
    TS_UNROLL
    for (int k = 0; k < pixels; ++k) {
        const SplitCoordinate column = split(f, x), row = split(f, y);
        outside[k] = false;
        if (f.clips) outside[k] = is_outside_axis(column, a.width) || is_outside_axis(row, a.height);
        values[k] = evaluate(a, column, row);
        x += direct_rows * f.xy;
        y += direct_rows * f.yy;
    }
    PixelWriter<C, kind> writer(job.output, i, first);
    TS_UNROLL
    for (int k = 0; k < pixels; ++k) {
        if (k * direct_rows >= rows_left) return;
        if (outside[k]) writer.write_background();
        else writer.write(values[k]);
        writer.move_down(direct_rows);
    }
}

template <int C, int pixels, OutputKind kind, class Evaluator>
void launch_direct(const Evaluator& evaluate, const ResampleJob& job, const FixedAffine& f, const DeviceQueue& queue) {
    constexpr int rows = direct_rows * pixels;
    const dim3 blocks(unsigned(job.output.width + direct_columns - 1) / direct_columns,
                      unsigned(job.output.height + rows - 1) / rows);
    launch_kernel(work::direct, direct_kernel<C, pixels, kind, Evaluator>, blocks, dim3(direct_columns, direct_rows), 0,
                  queue.stream, evaluate, job, f);
}

}  // namespace detail
}  // namespace texelscope
