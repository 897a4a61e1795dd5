#pragma once
// Runs a method over an output on the GPU: only where nvcc compiles.

#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace detail {

template <int C, class Evaluator> __global__ void resample_kernel(Evaluator evaluate, ResampleJob job) {
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= job.output.width) return;
    for (int j = int(blockIdx.y * blockDim.y + threadIdx.y); j < job.output.height; j += int(gridDim.y * blockDim.y))
        resample_pixel<C>(evaluate, job, i, j);
}

template <int C, class Evaluator>
void launch_evaluator(const Evaluator& evaluate, const ResampleJob& job, cudaStream_t stream) {
    const PixelGrid grid = pixel_grid(job.output);
    resample_kernel<C><<<grid.blocks, grid.block, 0, stream>>>(evaluate, job);
}

template <class Method, int C, bool signal> void launch_textured(const ResampleJob& job, cudaStream_t stream) {
    const Method method = made<Method>(job.parameters);
    using Lookup = LookupSource<C, signal>;
    using Hardware = HardwareSource<C, signal>;
    if (job.path == FetchPath::lookup)
        launch_evaluator<C>(TapEvaluator<Method, Lookup>{method, Lookup(job.source)}, job, stream);
    else
        launch_evaluator<C>(FilterEvaluator<Method, Hardware>{method, Hardware(job.source)}, job, stream);
}

template <class Method, bool signal> void launch_textured(const ResampleJob& job, cudaStream_t stream) {
    switch (job.source.channels) {
        case 1: return launch_textured<Method, 1, signal>(job, stream);
        case 2: return launch_textured<Method, 2, signal>(job, stream);
        default: return launch_textured<Method, 4, signal>(job, stream);
    }
}

template <class Method> void launch(const ResampleJob& job, CUstream_st* stream) {
    if (job.path != FetchPath::global) {
        if (job.source.one_dimensional) launch_textured<Method, true>(job, stream);
        else launch_textured<Method, false>(job, stream);
    } else {
        for_texel_type(job.source, [&]<class Sample, int C>() {
            using Source = LinearSource<Sample, C>;
            launch_evaluator<C>(TapEvaluator<Method, Source>{made<Method>(job.parameters), Source(job.source)}, job, stream);
        });
    }
    check_launch("interpolation");
}

}  // namespace detail
}  // namespace texelscope
