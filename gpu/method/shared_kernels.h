#pragma once
// Kernels that methods share by their number of taps; compiled once, in cuda_shared_*.cu. No CUDA header here.

#include "gpu/method/axis_weights.h"

namespace texelscope {

struct DeviceQueue;
struct KernelChoice;
struct ResampleJob;

// MethodInfo::launch for a method with these taps and fetches along each axis, for weights of that many taps.
template <int taps, int fetches>
void launch_shared(const ResampleJob& job, const KernelChoice& choice, const AxisWeights& weights,
                   const DeviceQueue& queue);

}  // namespace texelscope
