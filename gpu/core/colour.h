#pragma once
// Levels on the screen, and the sRGB transfer function.

#include <cmath>
#include <cstdint>

#include "gpu/core/platform.h"

namespace texelscope {

// Neutral grey (#202020) around the picture and behind transparent pixels.
inline constexpr float background_level = 32.0f / 255.0f;

#if defined(__CUDACC__)
// The lowest byte is that of to_8_bits(), without a branch or a conversion: beyond 2²³ a float's last bit is worth 1.
__device__ __forceinline__ uint32_t level_byte(float value) {
    return __float_as_uint(__fadd_rd(fmaf(__saturatef(value), 255.0f, 0.5f), 0x1p23f));
}
#endif

// Clamps to [0, 1], then rounds to nearest; NaN becomes 0.
TS_HD uint32_t to_8_bits(float value) {
#if defined(__CUDA_ARCH__)
    return level_byte(value) & 255u;
#else
    if (!(value > 0)) return 0;
    return value >= 1 ? 255u : uint32_t(value * 255.0f + 0.5f);
#endif
}

// The sRGB transfer function (IEC 61966-2-1), continued beyond 1 and mirrored below 0.
TS_HD float srgb_encoded(float linear) {
    const float v = fabsf(linear);
    const float coded = v <= 0.0031308f ? 12.92f * v : 1.055f * powf(v, 1 / 2.4f) - 0.055f;
    return linear < 0 ? -coded : coded;
}

// Its inverse; float64, since it runs only once per sample.
inline double srgb_decoded(double coded) {
    const double v = std::abs(coded);
    const double linear = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    return coded < 0 ? -linear : linear;
}

}  // namespace texelscope
