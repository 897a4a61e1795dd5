#pragma once
// Levels on the screen, the sRGB transfer function, straight colour.

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

// Rec. 709, of values as they are.
template <class T> TS_HD T luma(T r, T g, T b) { return T(0.2126) * r + T(0.7152) * g + T(0.0722) * b; }

// The sRGB transfer function (IEC 61966-2-1), continued beyond 1 and mirrored below 0.
TS_HD float srgb_encoded(float linear) {
    const float v = fabsf(linear);
    const float coded = v <= 0.0031308f ? 12.92f * v : 1.055f * powf(v, 1 / 2.4f) - 0.055f;
    return linear < 0 ? -coded : coded;
}

// Its inverse; float64, since it runs only once per sample.
TS_HD double srgb_decoded(double coded) {
    const double v = fabs(coded);
    const double linear = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
    return coded < 0 ? -linear : linear;
}

// The straight value of a premultiplied one: divided by every alpha but 0. Methods overshoot, so alpha may be below 0
// or above 1; colour overshoots with it, so that in an area of one colour the quotient is that colour everywhere, and
// multiplied by alpha it is again what it was. Alpha 0 has no colour, and 0 is what every file can hold. If alpha is
// NaN, so is the result; if it is tiny, the result may be mostly rounding.
TS_HD float straight_value(float premultiplied, float alpha) { return alpha == 0 ? 0.0f : premultiplied / alpha; }

// Makes the colours of one pixel straight, in place; the last channel is alpha.
inline void make_straight(float* pixel, int channels) {
    for (int c = 0; c + 1 < channels; ++c) pixel[c] = straight_value(pixel[c], pixel[channels - 1]);
}

// How the stored values of an image are interpreted for interpolation.
enum class Light {
    stored,  // as they are
    linear   // sRGB-decoded before, and coded again after; what is linear by its profile, as it is
};

}  // namespace texelscope
