#pragma once
// The shared code of fitted weights, chosen at run time by a custom method's taps and fetches. No CUDA header here.

#include <vector>

#include "gpu/method/method_info.h"

namespace texelscope {

struct CustomWeights;

// With weights.fetches > 0.
std::vector<FilteredFetch> custom_fetches(const CustomWeights& weights, float t);

// With weights.shared.taps > 0.
void resample_custom_rows(const CustomWeights& weights, const ResampleJob& job, int first, int last);
void launch_custom(const CustomWeights& weights, const ResampleJob& job, const KernelChoice& choice,
                   const AxisWeights& shared, const DeviceQueue& queue);

}  // namespace texelscope
