#pragma once
// Stored texels to floats, by the CPU's vector code.

#include "gpu/core/pixel.h"
#include "gpu/method/resample_job.h"
#include "gpu/method/simd/kernels.h"

namespace texelscope {

// `count` texels of the array, side by side from `texels` on, with pixel_channels() floats each. Are all finite?
inline bool convert_texels(const simd::Kernels& kernels, const TexelArray& array, const void* texels, int count,
                           float* values) {
    if (array.channels == 3) return kernels.convert_three[int(array.type)](texels, count, values);
    return kernels.convert[int(array.type)](texels, count * array.channels, values);
}

}  // namespace texelscope
