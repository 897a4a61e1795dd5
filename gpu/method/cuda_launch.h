#pragma once
// Runs a method over an output on the GPU: only where nvcc compiles.

#include <cuda_runtime.h>

#include "gpu/method/any_source.h"
#include "gpu/method/cuda_direct.h"
#include "gpu/method/cuda_march.h"
#include "gpu/method/cuda_tile.h"

namespace texelscope {
namespace detail {

// The simple kernel: any job, a thread a pixel.
template <int C, class Evaluator> __global__ void resample_kernel(Evaluator evaluate, ResampleJob job) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= job.output.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < job.output.height; j += int(gridDim.y * blockDim.y))
        resample_pixel<C>(evaluate, job, i, j);
}

template <int C, class Evaluator>
void launch_simple(const Evaluator& evaluate, const ResampleJob& job, cudaStream_t stream) {
    const PixelGrid grid = pixel_grid(job.output);
    resample_kernel<C><<<grid.blocks, grid.block, 0, stream>>>(evaluate, job);
}

// Where fast kernels can do the job: its positions in fixed point.
inline std::optional<FixedAffine> fast_positions(const ResampleJob& job) {
    constexpr int most_rows = 65535 * direct_rows;  // of a grid
    const bool fast = !job.simple && !job.source.one_dimensional && job.outside != Outside::nan &&
                      is_fast_output(job.output) && job.output.height <= most_rows;
    return fast ? fixed_affine(job) : std::nullopt;
}

// Each pixel by itself, `pixels` of them a thread. Where a pixel has many taps the simple kernel is as fast.
template <int C, int pixels, OutputKind kind, class Evaluator>
void launch_each(const Evaluator& evaluate, const ResampleJob& job, const std::optional<FixedAffine>& fixed, cudaStream_t stream) {
    if constexpr (pixels > 1)
        if (fixed) return launch_direct<C, pixels, kind>(evaluate, job, *fixed, stream);
    launch_simple<C>(evaluate, job, stream);
}

template <class Method, int C, OutputKind kind, bool signal>
void launch_textured(const ResampleJob& job, const std::optional<FixedAffine>& fixed, cudaStream_t stream) {
    const Method method = made<Method>(job.parameters);
    using Lookup = LookupSource<C, signal>;
    using Hardware = HardwareSource<C, signal>;
    const TapEvaluator<Method, Lookup> lookup{method, Lookup(job.source)};
    const FilterEvaluator<Method, Hardware> hardware{method, Hardware(job.source)};
    if constexpr (signal) {
        if (job.path == FetchPath::lookup) launch_simple<C>(lookup, job, stream);
        else launch_simple<C>(hardware, job, stream);
    } else {
        if (job.path == FetchPath::lookup) launch_each<C, Method::taps <= 2 ? 4 : 1, kind>(lookup, job, fixed, stream);
        else launch_each<C, Method::fetches <= 1 ? 8 : Method::fetches == 2 ? 4 : 1, kind>(hardware, job, fixed, stream);
    }
}

// Linear memory. Which kernel `auto` takes was measured (docs/performance.md): marching wins without rotation, tiles
// win with it, and with one tap nothing is shared.
template <class Method, int C, OutputKind kind>
void launch_global(const ResampleJob& job, const std::optional<FixedAffine>& fixed, cudaStream_t stream) {
    constexpr int taps = Method::taps;
    if (fixed && job.any_kernel) {
        if (job.positions.axis_aligned()) return launch_march<Method, C, kind>(job, *fixed, stream);
        if constexpr (taps > 1) {
            const TileShape shape = tile_shape(job.source, job.positions, taps);
            if (shape.bytes(C) <= size_t(largest_tile_bytes)) return launch_tile<Method, C, kind>(job, *fixed, shape, stream);
        }
    }
    const Method method = made<Method>(job.parameters);
    if constexpr (taps <= 2)
        for_texel_type(job.source, [&]<class Sample, int channels>() {
            using Source = LinearSource<Sample, channels>;
            if constexpr (channels == C)
                launch_each<C, 4, kind>(TapEvaluator<Method, Source>{method, Source(job.source)}, job, fixed, stream);
        });
    else launch_each<C, 1, kind>(TapEvaluator<Method, AnySource<C>>{method, AnySource<C>(job.source)}, job, fixed, stream);
}

template <class Method, int C, OutputKind kind> void launch_kind(const ResampleJob& job, cudaStream_t stream) {
    const auto fixed = fast_positions(job);
    if (job.path == FetchPath::global) launch_global<Method, C, kind>(job, fixed, stream);
    else if (job.source.one_dimensional) launch_textured<Method, C, kind, true>(job, {}, stream);
    else launch_textured<Method, C, kind, false>(job, fixed, stream);
}

template <class Method, int C> void launch_channels(const ResampleJob& job, cudaStream_t stream) {
    if (job.output.rgba8) launch_kind<Method, C, OutputKind::screen>(job, stream);
    else launch_kind<Method, C, OutputKind::values>(job, stream);
}

template <class Method> void launch(const ResampleJob& job, CUstream_st* stream) {
    if (job.source.channels == 1) launch_channels<Method, 1>(job, stream);
    else if (job.source.channels == 2) launch_channels<Method, 2>(job, stream);
    else launch_channels<Method, 4>(job, stream);
    check_launch("interpolation");
}

}  // namespace detail
}  // namespace texelscope
