#include "gpu/prefilter/cuda_prefilter.h"

#include "gpu/prefilter/prefilter_choice.h"

namespace texelscope {

void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernel& kernel,
                       const TexelArray& out, void* out_texels, const DeviceQueue& queue) {
    const auto filter =
        choose_prefilter(samples, kernel) == PrefilterCode::fused ? filter_fused_on_cuda : convolve_on_cuda;
    filter(samples, extension, kernel, out, out_texels, queue);
}

}  // namespace texelscope
