#pragma once
// A kernel that evaluates each pixel separately at a fixed-point position, several pixels of a column per thread, so
// that their fetches are under way together.

#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_output.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace detail {

// Texture coordinates along an axis, as float32, of positions in fixed point to which `offset` has been added: rounded
// to 32 bits, and then to a float's.
class TextureAxis {
public:
    __device__ TextureAxis(const FixedAffine& f, int margin, int n, bool normalised)
        : offset(((long long)margin << FixedAffine::bits) + (1LL << (FixedAffine::bits - 1)) +
                 (1LL << (FixedAffine::bits - f.texture_bits - 1))),
          shift_(FixedAffine::bits - f.texture_bits),
          unit_(f.texture_unit),
          stored_(normalised ? float(n + 2 * margin) : 0.0f) {}

    __device__ float coordinate(long long x) const {
        const int near = int(__funnelshift_rc(unsigned(x), unsigned(x >> 32), unsigned(shift_)));
        const float u = float(near) * unit_;
        return stored_ != 0 ? u / stored_ : u;
    }

    const long long offset;

private:
    int shift_;
    float unit_, stored_;
};

// evaluate(x, y) of `pixels` positions, direct_rows apart.
template <int C, int pixels, class Evaluator>
__device__ void evaluate_column(const Evaluator& evaluate, const TexelArray& a, const FixedAffine& f, long long x,
                                long long y, Pixel<C> (&values)[pixels]) {
    if constexpr (requires { requires Evaluator::at_position; }) {
        const TextureAxis columns(f, a.margin_x, a.width, a.normalised), rows(f, a.margin_y, a.height, a.normalised);
        x += columns.offset;
        y += rows.offset;
        TS_UNROLL
        for (int k = 0; k < pixels; ++k, x += direct_rows * f.xy, y += direct_rows * f.yy)
            values[k] = evaluate.at(columns.coordinate(x), rows.coordinate(y));
    } else {
        TS_UNROLL
        for (int k = 0; k < pixels; ++k, x += direct_rows * f.xy, y += direct_rows * f.yy)
            values[k] = evaluate(a, split(f, x), split(f, y));
    }
}

// Over what has been written there.
template <int C, int pixels, OutputKind kind>
__device__ void write_background_outside(PixelWriter<C, kind> writer, const TexelArray& a, const FixedAffine& f,
                                         long long x, long long y, int rows_left) {
    for (int k = 0; k < pixels && k * direct_rows < rows_left; ++k) {
        if (is_outside_axis(split(f, x), a.width) || is_outside_axis(split(f, y), a.height)) writer.write_background();
        writer.move_down(direct_rows);
        x += direct_rows * f.xy;
        y += direct_rows * f.yy;
    }
}

template <int C, int pixels, OutputKind kind, class Evaluator>
__global__ void __launch_bounds__(direct_columns* direct_rows)
    direct_kernel(Evaluator evaluate, ResampleJob job, FixedAffine f) {
    const int i = int(blockIdx.x) * direct_columns + int(threadIdx.x);
    const int first = int(blockIdx.y) * direct_rows * pixels + int(threadIdx.y);
    const int rows_left = job.output.height - first;
    if (i >= job.output.width) return;
    const long long x = f.x0 + i * f.xx + first * f.xy, y = f.y0 + i * f.yx + first * f.yy;
    Pixel<C> values[pixels];
    evaluate_column(evaluate, job.source, f, x, y, values);
    const PixelWriter<C, kind> top(job.output, i, first);
    PixelWriter<C, kind> writer = top;
    TS_UNROLL
    for (int k = 0; k < pixels; ++k) {
        if (k * direct_rows < rows_left) writer.write(values[k]);
        writer.move_down(direct_rows);
    }
    if (f.clips) write_background_outside<C, pixels>(top, job.source, f, x, y, rows_left);
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
