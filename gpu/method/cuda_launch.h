#pragma once
// Runs a method over an output on the GPU, on the kernel of choose(): only in code compiled by nvcc.

#include <cuda_runtime.h>

#include "gpu/method/cuda_direct.h"
#include "gpu/method/cuda_march.h"
#include "gpu/method/cuda_output.h"
#include "gpu/method/cuda_tile.h"
#include "gpu/method/evaluate.h"

namespace texelscope {
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

// Each pixel separately, `pixels` of them per thread if fast positions are good enough.
template <int C, int pixels, OutputKind kind, class Evaluator>
void launch_each(const Evaluator& evaluate, const ResampleJob& job, const KernelChoice& choice,
                 const DeviceQueue& queue) {
    if constexpr (pixels > 1 && kind != OutputKind::linear_light)
        if (choice.kernel == ResampleKernel::direct)
            return launch_direct<C, pixels, kind>(evaluate, job, *choice.fixed, queue);
    launch_simple<C>(evaluate, job, queue);
}

template <class Method, int C, OutputKind kind>
void launch_global(const Method& method, const ResampleJob& job, const KernelChoice& choice, const DeviceQueue& queue) {
    constexpr int taps = Method::taps, pixels = pixels_of_linear_memory(taps);
    if (choice.kernel == ResampleKernel::march) return launch_march<C, kind>(method, job, *choice.fixed, queue);
    if constexpr (taps > 1)
        if (choice.kernel == ResampleKernel::tile)
            return launch_tile<C, kind>(method, job, *choice.fixed, choice.tile, queue);
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

template <class Method, int C, OutputKind kind, bool signal, bool folds>
void launch_lookup(const Method& method, const ResampleJob& job, const KernelChoice& choice, const DeviceQueue& queue) {
    using Source = LookupSource<C, signal, folds>;
    constexpr int pixels = signal ? 1 : pixels_of_lookup(Method::taps);
    launch_each<C, pixels, kind>(TapEvaluator<Method, Source>{method, Source(job.source)}, job, choice, queue);
}

template <class Method, int C, OutputKind kind, bool signal, bool folds>
void launch_hardware(const Method& method, const ResampleJob& job, const KernelChoice& choice,
                     const DeviceQueue& queue) {
    using Source = HardwareSource<C, signal, folds>;
    constexpr int pixels = signal ? 1 : pixels_of_filtering(Method::fetches);
    launch_each<C, pixels, kind>(FilterEvaluator<Method, Source>{method, Source(job.source)}, job, choice, queue);
}

template <int C, OutputKind kind, bool signal, bool folds, class Method, class Fetches>
void launch_texture(const Method& method, const Fetches& fetches, const ResampleJob& job, const KernelChoice& choice,
                    const DeviceQueue& queue) {
    if (job.path() == FetchPath::lookup) launch_lookup<Method, C, kind, signal, folds>(method, job, choice, queue);
    else launch_hardware<Fetches, C, kind, signal, folds>(fetches, job, choice, queue);
}

template <int C, OutputKind kind, class Method, class Fetches>
void launch_kind(const Method& method, const Fetches& fetches, const ResampleJob& job, const KernelChoice& choice,
                 const DeviceQueue& queue) {
    const bool signal = job.source.one_dimensional, folds = choice.folds;
    if (job.path() == FetchPath::global) launch_global<Method, C, kind>(method, job, choice, queue);
    else if (signal && folds) launch_texture<C, kind, true, true>(method, fetches, job, choice, queue);
    else if (signal) launch_texture<C, kind, true, false>(method, fetches, job, choice, queue);
    else if (folds) launch_texture<C, kind, false, true>(method, fetches, job, choice, queue);
    else launch_texture<C, kind, false, false>(method, fetches, job, choice, queue);
}

template <int C, class Method, class Fetches>
void launch_channels(const Method& method, const Fetches& fetches, const ResampleJob& job, const KernelChoice& choice,
                     const DeviceQueue& queue) {
    if (job.output.encode_srgb) launch_kind<C, OutputKind::linear_light>(method, fetches, job, choice, queue);
    else if (job.output.rgba8) launch_kind<C, OutputKind::screen>(method, fetches, job, choice, queue);
    else launch_kind<C, OutputKind::values>(method, fetches, job, choice, queue);
    if (choice.needs_nan_outside()) launch_nan_outside(job, *choice.fixed, queue);
}

// `fetches` is the method on the path `hardware`.
template <class Method, class Fetches>
void launch(const Method& method, const Fetches& fetches, const ResampleJob& job, const KernelChoice& choice,
            const DeviceQueue& queue) {
    if (job.source.channels == 1) launch_channels<1>(method, fetches, job, choice, queue);
    else if (job.source.channels == 2) launch_channels<2>(method, fetches, job, choice, queue);
    else launch_channels<4>(method, fetches, job, choice, queue);
}

}  // namespace detail
}  // namespace texelscope
