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

template <int C> TS_HD void write_pixel(const ResampleOutput& out, int i, int j, const Pixel<C>& p) {
    char* line = static_cast<char*>(out.pixels) + size_t(j) * out.row_bytes;
    if (out.rgba8) {
        reinterpret_cast<uint32_t*>(line)[i] = to_rgba8(p, out.channels, out.has_alpha);
    } else {
        float* floats = reinterpret_cast<float*>(line) + size_t(i) * out.channels;
        TS_UNROLL
        for (int c = 0; c < C; ++c)
            if (c < out.channels) floats[c] = p.v[c];
    }
}

// Transparent where the image has alpha, else the background's grey.
template <int C> TS_HD Pixel<C> background_pixel(const ResampleOutput& out) {
    Pixel<C> p;
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] = out.has_alpha ? 0.0f : background_level;
    return p;
}

// Inside the samples' extent [−0.5, n−0.5) × [−0.5, m−0.5).
TS_HD bool inside_extent(const TexelArray& a, double x, double y) {
    return x >= -0.5 && x < a.width - 0.5 && y >= -0.5 && y < a.height - 0.5;
}

}  // namespace texelscope
