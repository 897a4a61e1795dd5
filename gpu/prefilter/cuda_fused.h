#pragma once
// The exact prefilter of one pole on the GPU in a single pass.

#include "gpu/method/resample_job.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// Two-dimensional images, a recursion of one pole with |z| up to 0.36.
bool can_filter_fused(const TexelArray& samples, const PrefilterKernel& kernel);

// As prefilter_on_cuda. Margins must be multiples of 4 texels, and out.row_bytes of 16 bytes.
void filter_fused_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                          const TexelArray& out, void* out_texels, CUstream_st* stream);

}  // namespace texelscope
