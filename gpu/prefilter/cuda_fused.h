#pragma once
// The exact prefilter of one pole on the GPU in a single pass.

#include "gpu/core/device_limits.h"
#include "gpu/method/resample_job.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// Like prefilter_on_cuda, if can_filter_fused(). Margins must be multiples of 4 texels, and out.row_bytes of 16 bytes.
void filter_fused_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                          const TexelArray& out, void* out_texels, const DeviceQueue& queue);

}  // namespace texelscope
