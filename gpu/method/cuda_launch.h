#pragma once
// Runs a method over an output on the GPU, on the kernel of choose(): only in code compiled by nvcc.

#include <cuda_runtime.h>

#include "gpu/method/cuda_block_kernels.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {

// A kernel that evaluates each pixel separately at a fixed-point position, several pixels of a column per thread, so
// that their fetches are under way together.

namespace detail {

// The number, in a way that the compiler does not see through: what depends on it is computed when it is needed, instead of
// being kept in registers from earlier on.
__device__ inline int opaque(int number) {
    asm volatile("" : "+r"(number));
    return number;
}

// Threads that a multiprocessor holds at most.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100)
inline constexpr int most_threads = 2048;
#elif __CUDA_ARCH__ < 800
inline constexpr int most_threads = 1024;
#else
inline constexpr int most_threads = 1536;
#endif

// How the direct kernel reads any source but linear memory.
template <class Evaluator> struct DirectReading {
    static constexpr int blocks = 0;  // that a multiprocessor holds at least; 0: left to the compiler
    template <class Visit>
    __device__ static void visit(const Evaluator& evaluate, const TexelArray&, SplitCoordinate, SplitCoordinate,
                                 SplitCoordinate, SplitCoordinate, Visit visit) {
        visit(evaluate);
    }
};

// Linear memory: the address mode is asked for once for all of a thread's pixels, from their first and last positions, and
// as many warps as possible hide how long memory takes.
template <class Method, class Sample, int C> struct DirectReading<TapEvaluator<Method, LinearSource<Sample, C>>> {
    using Source = LinearSource<Sample, C>;
    static constexpr int blocks = most_threads / (direct_columns * direct_rows);

    template <class Visit>
    __device__ static void visit(const TapEvaluator<Method, Source>& evaluate, const TexelArray& a, SplitCoordinate x0,
                                 SplitCoordinate y0, SplitCoordinate x1, SplitCoordinate y1, Visit visit) {
        constexpr int before = (Method::taps - 1) / 2, after = (Method::taps + 1) / 2;  // of the whole coordinate
        const bool stored = Source::stores(a, min(x0.whole, x1.whole) - before, min(y0.whole, y1.whole) - before,
                                           max(x0.whole, x1.whole) + after, max(y0.whole, y1.whole) + after);
        if (stored) visit(TapEvaluator<Method, StoredTaps<Source>>{evaluate.method, StoredTaps<Source>(a)});
        else visit(evaluate);
    }
};

// Over what has been written there, by columns of `pixels` pixels from (i, first) on.
template <int C, int pixels, OutputKind kind>
__device__ void write_background_outside(const ResampleJob& job, const FixedAffine& f, int i, int first) {
    for (int j = first; j < job.output.height && j < first + pixels * direct_rows; j += direct_rows)
        if (is_outside_axis(split(f, f.x0 + i * f.xx + j * f.xy), job.source.width) ||
            is_outside_axis(split(f, f.y0 + i * f.yx + j * f.yy), job.source.height))
            PixelWriter<C, kind>(job.output, i, j).write_background();
}

template <int C, int pixels, OutputKind kind, class Evaluator>
__global__ void __launch_bounds__(direct_columns* direct_rows, DirectReading<Evaluator>::blocks)
    direct_kernel(Evaluator evaluate, ResampleJob job, FixedAffine f) {
    const int i = int(blockIdx.x) * direct_columns + int(threadIdx.x);
    const int first = int(blockIdx.y) * direct_rows * pixels + int(threadIdx.y);
    if (i >= job.output.width) return;
    long long x = f.x0 + i * f.xx + first * f.xy, y = f.y0 + i * f.yx + first * f.yy;
    const long long last_x = x + (pixels - 1) * direct_rows * f.xy, last_y = y + (pixels - 1) * direct_rows * f.yy;
    Pixel<C> values[pixels];
    DirectReading<Evaluator>::visit(
        evaluate, job.source, split(f, x), split(f, y), split(f, last_x), split(f, last_y), [&](const auto& evaluate) {
            TS_UNROLL
            for (int k = 0; k < pixels; ++k, x += direct_rows * f.xy, y += direct_rows * f.yy)
                values[k] = evaluate(job.source, split(f, x), split(f, y));
        });
    PixelWriter<C, kind> writer(job.output, i, first);
    const int rows_left = job.output.height - first;
    TS_UNROLL
    for (int k = 0; k < pixels; ++k) {
        if (k * direct_rows < rows_left) writer.write(values[k]);
        writer.move_down(direct_rows);
    }
    if (f.clips) write_background_outside<C, pixels, kind>(job, f, opaque(i), opaque(first));
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

namespace detail {

// The simple kernel: any job, one thread per pixel.
template <int C, class Evaluator> __global__ void resample_kernel(Evaluator evaluate, ResampleJob job) {
    const auto [i, j] = grid_pixel();
    if (i < job.output.width && j < job.output.height) resample_pixel<C>(evaluate, job, i, j);
}

template <int C, class Evaluator>
void launch_simple(const Evaluator& evaluate, const ResampleJob& job, const DeviceQueue& queue) {
    const PixelGrid grid = pixel_grid(job.output);
    launch_kernel(work::pixels, resample_kernel<C, Evaluator>, grid.blocks, grid.block, 0, queue.stream, evaluate, job);
}

// The simple kernel for all images of a batch, from linear memory. It stands apart, like march_kernel's variant for batches,
// since a job that is changed is copied to registers, which would slow down single images.
template <int C, class Method> __global__ void batch_kernel(Method method, ResampleJob job) {
    const auto [i, j] = grid_pixel(job.source.images);
    take_image(job);
    if (i < job.output.width && j < job.output.height)
        resample_pixel<C>(TapEvaluator<Method, AnySource<C>>{method, AnySource<C>(job.source)}, job, i, j);
}

template <int C, class Method>
void launch_batch(const Method& method, const ResampleJob& job, const DeviceQueue& queue) {
    const PixelGrid grid = pixel_grid(job);
    launch_kernel(work::pixels, batch_kernel<C, Method>, grid.blocks, grid.block, 0, queue.stream, method, job);
}

// Each pixel separately, `pixels` of them per thread if fast positions are good enough.
template <int C, int pixels, OutputKind kind, class Evaluator>
void launch_each(const Evaluator& evaluate, const ResampleJob& job, const KernelChoice& choice,
                 const DeviceQueue& queue) {
    if constexpr (pixels > 1 && kind != OutputKind::linear_light)
        if (choice.kernel == ResampleKernel::direct)
            return launch_direct<C, pixels, kind>(evaluate, job, *choice.fixed, queue);
    launch_simple<C>(evaluate, job, queue);
}

// From linear memory, by a kernel that shares nothing.
template <int C, OutputKind kind, class Method>
void launch_alone(const Method& method, const ResampleJob& job, const KernelChoice& choice, const DeviceQueue& queue) {
    constexpr int pixels = pixels_of_linear_memory(Method::taps);
    if constexpr (pixels > 1)
        for_texel_type(job.source, [&]<class Sample, int channels>() {
            using Source = LinearSource<Sample, channels>;
            if constexpr (channels == C)
                launch_each<C, pixels, kind>(TapEvaluator<Method, Source>{method, Source(job.source)}, job, choice,
                                             queue);
        });
    else
        launch_each<C, 1, kind>(TapEvaluator<Method, AnySource<C>>{method, AnySource<C>(job.source)}, job, choice,
                                queue);
}

template <int C, OutputKind kind, bool signal, bool folds, class Method, class Fetches>
void launch_texture(const Method& method, const Fetches& fetches, const ResampleJob& job, const KernelChoice& choice,
                    const DeviceQueue& queue) {
    if (job.path() == FetchPath::lookup) {
        using Source = LookupSource<C, signal, folds>;
        constexpr int pixels = signal ? 1 : pixels_of_lookup(Method::taps);
        launch_each<C, pixels, kind>(TapEvaluator<Method, Source>{method, Source(job.source)}, job, choice, queue);
    } else {
        using Source = HardwareSource<C, signal, folds>;
        constexpr int pixels = signal ? 1 : pixels_of_filtering(Fetches::fetches);
        launch_each<C, pixels, kind>(FilterEvaluator<Fetches, Source>{fetches, Source(job.source)}, job, choice, queue);
    }
}

// Enqueues the job on the chosen kernel; `fetches` is the method on the path `hardware`.
template <class Method, class Fetches>
void launch(const Method& method, const Fetches& fetches, const ResampleJob& job, const KernelChoice& choice,
            const DeviceQueue& queue) {
    const auto launch_kind = [&]<int C, OutputKind kind>() {
        const bool signal = job.source.one_dimensional;
        if constexpr (kind == OutputKind::values)
            if (choice.kernel == ResampleKernel::march && job.source.images > 1)
                return launch_march<C, kind, true>(method, job, *choice.fixed, queue);
        if (choice.kernel == ResampleKernel::march)
            return launch_march<C, kind, false>(method, job, *choice.fixed, queue);
        if (job.source.images > 1) return launch_batch<C>(method, job, queue);
        if constexpr (Method::taps > 1)
            if (choice.kernel == ResampleKernel::tile)
                return launch_tile<C, kind>(method, job, *choice.fixed, choice.tile, queue);
        if (job.path() == FetchPath::global) launch_alone<C, kind>(method, job, choice, queue);
        else if (signal && choice.folds) launch_texture<C, kind, true, true>(method, fetches, job, choice, queue);
        else if (signal) launch_texture<C, kind, true, false>(method, fetches, job, choice, queue);
        else if (choice.folds) launch_texture<C, kind, false, true>(method, fetches, job, choice, queue);
        else launch_texture<C, kind, false, false>(method, fetches, job, choice, queue);
    };
    const auto launch_channels = [&]<int C>() {
        if (job.output.encode_srgb) launch_kind.template operator()<C, OutputKind::linear_light>();
        else if (job.output.rgba8) launch_kind.template operator()<C, OutputKind::screen>();
        else launch_kind.template operator()<C, OutputKind::values>();
    };
    if (job.source.channels == 1) launch_channels.template operator()<1>();
    else if (job.source.channels == 2) launch_channels.template operator()<2>();
    else launch_channels.template operator()<4>();
    if (choice.needs_nan_outside()) launch_nan_outside(job, *choice.fixed, queue);
}

}  // namespace detail

}  // namespace texelscope
