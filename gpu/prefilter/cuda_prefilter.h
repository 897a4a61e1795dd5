#pragma once
// Prefilter on the GPU.

#include "gpu/core/device_limits.h"
#include "gpu/method/resample_job.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// Like prefilter_on_cpu, over device memory, enqueued, in a single kernel. Sums are float32. `out` is laid out by
// coefficient_array. Throws Error if a launch is refused.
void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                       const TexelArray& out, void* out_texels, const DeviceQueue& queue);

}  // namespace texelscope
