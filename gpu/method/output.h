#pragma once
// The last step of a rendering: one interpolated value into the output.

#include <cstdint>

#include "gpu/core/colour.h"
#include "gpu/core/pixel.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

// Opaque RGBA8 for the screen: one channel is grey, two plain channels are red and green, alpha lies over the
// background.
template <int C> TS_HD uint32_t to_rgba8(const Pixel<C>& p, int channels, bool has_alpha) {
    const int colours = channels - (has_alpha ? 1 : 0);
    const float backdrop = has_alpha ? (1 - p.v[(channels - 1) % C]) * background_level : 0.0f;
    const float r = p.v[0] + backdrop;
    const float g = colours == 1 ? r : p.v[1 % C] + backdrop;
    const float b = colours == 1 ? r : colours == 2 ? backdrop : p.v[2 % C] + backdrop;
    return to_8_bits(r) | to_8_bits(g) << 8 | to_8_bits(b) << 16 | 255u << 24;
}

TS_HD void store_rgba8(const ResampleOutput& out, int i, int j, uint32_t rgba) {
    reinterpret_cast<uint32_t*>(static_cast<char*>(out.pixels) + size_t(j) * out.row_bytes)[i] = rgba;
}

template <int C> TS_HD void store_floats(const ResampleOutput& out, int i, int j, const Pixel<C>& p) {
    float* floats = reinterpret_cast<float*>(static_cast<char*>(out.pixels) + size_t(j) * out.row_bytes) +
                    size_t(i) * out.channels;
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (c < out.channels) floats[c] = p.v[c];
}

template <int C> TS_HD void write_pixel(const ResampleOutput& out, int i, int j, const Pixel<C>& p) {
    if (out.rgba8) store_rgba8(out, i, j, to_rgba8(p, out.channels, out.has_alpha));
    else store_floats(out, i, j, p);
}

// Grey on the screen; in floats the same grey, but transparent where the image has alpha.
template <int C> TS_HD void write_background(const ResampleOutput& out, int i, int j) {
    Pixel<C> p;
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] = out.has_alpha ? 0.0f : background_level;
    if (out.rgba8) {
        const uint32_t grey = to_8_bits(background_level);
        store_rgba8(out, i, j, grey | grey << 8 | grey << 16 | 255u << 24);
    } else {
        store_floats(out, i, j, p);
    }
}

// Inside the samples' extent [−0.5, n−0.5) × [−0.5, m−0.5).
TS_HD bool inside_extent(const TexelArray& a, double x, double y) {
    return x >= -0.5 && x < a.width - 0.5 && y >= -0.5 && y < a.height - 0.5;
}

}  // namespace texelscope
