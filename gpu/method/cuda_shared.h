#pragma once
// launch_shared(): only in code compiled by nvcc, and instantiated only in cuda_shared_*.cu.

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
