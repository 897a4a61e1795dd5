#pragma once
// Prefilter on the GPU.

#include "gpu/method/resample_job.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// As prefilter_on_cpu, over device memory, enqueued on the stream. Sums are float32. `found_non_finite` is device memory
// for a flag; `scratch` has the size of `out`'s texels where needs_scratch() says so. Throws Error where a launch is
// refused.
void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                       const TexelArray& out, float* out_texels, float* scratch, int* found_non_finite, CUstream_st* stream);

// False for signals, and where a single pass does it.
bool needs_scratch(const TexelArray& samples, const PrefilterKernel& kernel);

}  // namespace texelscope
