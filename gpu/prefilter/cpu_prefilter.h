#pragma once
// Prefilter on the host.

#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/prefilter/filter.h"

namespace texelscope {

// Writes the coefficients of `samples` (no margin, linear memory) as f32 or f16 texels of the same number of channels
// into `out`, whose type, margins, size and row_bytes are set and whose texels point to zeroed memory `out_texels`.
// `extension` is how the samples continue beyond their edges. Threaded. Sums are float64. Throws OutOfMemory.
void prefilter_on_cpu(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                      const TexelArray& out, void* out_texels,
                      const simd::Kernels& kernels = simd::kernels(simd::best_instructions()));

}  // namespace texelscope
