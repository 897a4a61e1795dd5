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

// The prefilter on the GPU as a convolution, in a single pass.

// Like prefilter_on_cuda. A FIR with its taps; a recursion, whose inverse falls off exponentially, with as many as
// matter to float32 (|z|^k < 2⁻²⁶): up to largest_pole, which check_poles() demands, no more than 65.
void convolve_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                      const TexelArray& out, void* out_texels, const DeviceQueue& queue);

// The exact prefilter of one pole on the GPU in a single pass.

// Like prefilter_on_cuda, if can_filter_fused(). Margins must be multiples of 4 texels, and out.row_bytes of 16 bytes.
void filter_fused_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                          const TexelArray& out, void* out_texels, const DeviceQueue& queue);

}  // namespace texelscope
