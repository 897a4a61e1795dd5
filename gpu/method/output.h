#pragma once
// The last step of a rendering: one interpolated value into the output.

#include <cstdint>

#include "gpu/core/colour.h"
#include "gpu/core/pixel.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

// Opaque RGBA8 from levels 0 … 255.
TS_HD uint32_t packed(uint32_t r, uint32_t g, uint32_t b) { return r | g << 8 | b << 16 | 255u << 24; }

// Opaque RGBA8 for the screen: one channel is grey, two plain channels are red and green, alpha is laid over the
// background.
template <int C> TS_HD uint32_t to_rgba8(const Pixel<C>& p, int channels, bool has_alpha) {
    if constexpr (C == 1) {
        const uint32_t grey = to_8_bits(p.v[0]);
        return packed(grey, grey, grey);
    }
    const int colours = channels - (has_alpha ? 1 : 0);
    const float backdrop = has_alpha ? (1 - p.v[(channels - 1) % C]) * background_level : 0.0f;
    const float r = p.v[0] + backdrop;
    const float g = colours == 1 ? r : p.v[1 % C] + backdrop;
    const float b = colours == 1 ? r : colours == 2 ? backdrop : p.v[2 % C] + backdrop;
    return packed(to_8_bits(r), to_8_bits(g), to_8_bits(b));
}

TS_HD void store_rgba8(const ResampleOutput& out, int i, int j, uint32_t rgba) {
    reinterpret_cast<uint32_t*>(static_cast<char*>(out.pixels) + size_t(j) * out.row_bytes)[i] = rgba;
}

template <int C> TS_HD void store_floats(const ResampleOutput& out, int i, int j, const Pixel<C>& p) {
    float* floats =
        reinterpret_cast<float*>(static_cast<char*>(out.pixels) + size_t(j) * out.row_bytes) + size_t(i) * out.channels;
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (c < out.channels) floats[c] = p.v[c];
}

// Floats, or levels. A GPU writes floats.
template <int C> TS_HD void store_numbers(const ResampleOutput& out, int i, int j, const Pixel<C>& p) {
#if !defined(__CUDA_ARCH__)
    if (out.levels) {
        uint8_t* levels =
            static_cast<uint8_t*>(out.pixels) + size_t(j) * out.row_bytes + size_t(i) * size_t(out.channels);
        for (int c = 0; c < C && c < out.channels; ++c) levels[c] = uint8_t(to_8_bits(p.v[c]));
        return;
    }
#endif
    store_floats(out, i, j, p);
}

// Linear light to sRGB, colour channels only; premultiplied colour is coded as its straight value. code(v): one value.
template <int C, class Code> TS_HD Pixel<C> encoded(const Pixel<C>& p, int channels, bool has_alpha, Code code) {
    Pixel<C> result = p;
    const int colours = channels - (has_alpha ? 1 : 0);
    const float alpha = has_alpha ? p.v[(channels - 1) % C] : 1.0f;
    if (alpha == 0) return result;
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (c < colours) result.v[c] = has_alpha ? alpha * code(p.v[c] / alpha) : code(p.v[c]);
    return result;
}
// Linear light to sRGB by srgb_encoded(). A function of its own, whose powers take no registers from kernels that write
// values as they are.
template <int C> TS_HD_RARE Pixel<C> encoded(const Pixel<C>& p, int channels, bool has_alpha) {
    return encoded(p, channels, has_alpha, [](float v) { return srgb_encoded(v); });
}

template <int C> TS_HD void write_pixel(const ResampleOutput& out, int i, int j, Pixel<C> p) {
    if (out.encode_srgb) p = encoded(p, out.channels, out.has_alpha);
    if (out.rgba8) store_rgba8(out, i, j, to_rgba8(p, out.channels, out.has_alpha));
    else store_numbers(out, i, j, p);
}

// Grey on the screen; in floats the same grey, but transparent if the image has alpha.
template <int C> TS_HD void write_background(const ResampleOutput& out, int i, int j) {
    Pixel<C> p;
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] = out.has_alpha ? 0.0f : out.background;
    if (out.rgba8) {
        const uint32_t grey = to_8_bits(out.background);
        store_rgba8(out, i, j, packed(grey, grey, grey));
    } else {
        store_numbers(out, i, j, p);
    }
}

// One axis of n samples. NaN is on neither side: the evaluation handles it.
TS_HD bool is_outside_axis(Outside outside, double x, int n, double beyond = 0.5) {
    if (outside == Outside::extend) return false;
    if (outside == Outside::nan) return x < 0 || x > n - 1;
    return x < -beyond || x >= n - 1 + beyond;
}

TS_HD bool is_outside(const ResampleJob& job, Point p) {
    const TexelArray& a = job.source;
    const Cut& cut = job.cut;
    const bool signal_to_sample = a.one_dimensional && job.outside == Outside::nan;  // y does not exist
    const int width = cut.is_part ? cut.width : a.width, height = cut.is_part ? cut.height : a.height;
    const double x = cut.is_part ? p.x + cut.x : p.x, y = cut.is_part ? p.y + cut.y : p.y;
    return is_outside_axis(job.outside, x, width, a.beyond_x) ||
           (!signal_to_sample && is_outside_axis(job.outside, y, height, a.beyond_y));
}

// The image's first and last sample along an axis, in indices of the source.
struct ImageSpan {
    double first, last;
};
TS_HD ImageSpan image_columns(const ResampleJob& job) {
    if (!job.cut.is_part) return {0, job.source.width - 1.0};
    return {-job.cut.x, job.cut.width - 1.0 - job.cut.x};
}
TS_HD ImageSpan image_rows(const ResampleJob& job) {
    if (!job.cut.is_part) return {0, job.source.height - 1.0};
    return {-job.cut.y, job.cut.height - 1.0 - job.cut.y};
}

template <int C> TS_HD void write_outside(const ResampleJob& job, int i, int j) {
    if (job.outside == Outside::nan) write_pixel(job.output, i, j, Pixel<C>::nan());
    else write_background<C>(job.output, i, j);
}

}  // namespace texelscope
