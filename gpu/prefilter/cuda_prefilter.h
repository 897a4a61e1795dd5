#pragma once
// Prefilter on the GPU.

#include "gpu/method/resample_job.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// As prefilter_on_cpu, over device memory, enqueued on the stream. `scratch` has the size of `out`'s texels
// (signals need none). Sums are
// float32. Throws Error where a launch is refused.
void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                       const TexelArray& out, float* out_texels, float* scratch, CUstream_st* stream);

}  // namespace texelscope
