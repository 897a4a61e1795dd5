#pragma once
// OKLab, a colour space in which equal steps look equal: Björn Ottosson 2020, A perceptual color space for image
// processing. Only the conversion to sRGB.

#include "gpu/core/colour.h"
#include "gpu/core/platform.h"

namespace texelscope {

struct Rgb {
    float r, g, b;
};

// Linear sRGB of OKLab (lightness 0 … 1, a, b); components beyond [0, 1] are colours that the screen cannot show.
TS_HD Rgb linear_from_oklab(float lightness, float a, float b) {
    const float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    const float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    const float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
            -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
            -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

// sRGB-coded, from the same in polar form: chroma, and hue in radians.
TS_HD Rgb srgb_from_oklch(float lightness, float chroma, float hue) {
    const Rgb c = linear_from_oklab(lightness, chroma * cosf(hue), chroma * sinf(hue));
    return {srgb_encoded(c.r), srgb_encoded(c.g), srgb_encoded(c.b)};
}

// Lightness and chroma at which sRGB has every hue, for the phases of complex numbers.
inline constexpr float phase_lightness = 0.72f, phase_chroma = 0.12f;

// The colour of a complex number: its phase as hue, with a part (0 … 1) of the full lightness and chroma.
TS_HD Rgb polar_colour(float part, float phase) {
    const float p = fminf(fmaxf(part, 0.0f), 1.0f);
    return srgb_from_oklch(phase_lightness * p, phase_chroma * p, phase);
}

TS_HD uint32_t rgba_of(float r, float g, float b) {
    return to_8_bits(r) | to_8_bits(g) << 8 | to_8_bits(b) << 16 | 255u << 24;
}

}  // namespace texelscope
