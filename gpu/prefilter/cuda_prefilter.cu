#include "gpu/prefilter/cuda_prefilter.h"

#include "gpu/prefilter/cuda_convolve.h"
#include "gpu/prefilter/cuda_fused.h"

namespace texelscope {
namespace {

// A recursion down the columns of a small image is one long chain, while a convolution keeps the whole device busy. Where
// they meet was measured for one and four channels (docs/performance.md).
bool is_small(const TexelArray& samples) {
    return (long long)samples.width * samples.height <= (1 << 20) / (samples.channels * samples.channels);
}

}  // namespace

void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                       const TexelArray& out, void* out_texels, CUstream_st* stream) {
    if (!is_small(samples) && can_filter_fused(samples, kernel)) filter_fused_on_cuda(samples, extension, kernel, out, out_texels, stream);
    else convolve_on_cuda(samples, extension, kernel, out, out_texels, stream);
}

}  // namespace texelscope
