#pragma once
// launch_shared(): only in code compiled by nvcc, and instantiated only in the sources that gpu/CMakeLists.txt writes.

#include "gpu/method/cuda_launch.h"
#include "gpu/method/evaluate.h"
#include "gpu/method/resample.h"

namespace texelscope {

template <int taps, int fetches>
void launch_shared(const ResampleJob& job, const KernelChoice& choice, const AxisWeights& weights,
                   const DeviceQueue& queue) {
    if (weights.taps != taps) throw Error("the weight function has no polynomials that a GPU could compute it with");
    detail::launch(Fitted<taps>(weights), FittedFetches<taps, fetches>(weights), job, choice, queue);
}

}  // namespace texelscope

#define TS_SHARED(taps, fetches)                                                                         \
    template void texelscope::launch_shared<taps, fetches>(                                              \
        const texelscope::ResampleJob&, const texelscope::KernelChoice&, const texelscope::AxisWeights&, \
        const texelscope::DeviceQueue&);
