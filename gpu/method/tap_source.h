#pragma once
// Sources of taps: the fetch paths. A source is one of
//   a tap source:    column(i), row(i) → stored index or −1 (zero), load(column, row) → Pixel
//   a filter source: fetch_point(x, y), fetch_linear(x, y) at texture-space coordinates → Pixel

#include <cstdint>

#include "gpu/core/half.h"
#include "gpu/core/pixel.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

TS_HD float sample_to_float(uint8_t v) { return float(v) * (1.0f / 255.0f); }
TS_HD float sample_to_float(uint16_t v) { return float(v) * (1.0f / 65535.0f); }
TS_HD float sample_to_float(float v) { return v; }

// binary16 needs a type of its own: uint16_t means an integer sample.
struct HalfBits {
    uint16_t bits;
};
TS_HD float sample_to_float(HalfBits v) { return half_to_float(v.bits); }

template <class Sample, int C> struct alignas(sizeof(Sample) * C) Texel {
    Sample v[C];
};

// Path `global`, and `lookup` on the CPU: linear memory, address mode in code.
template <class Sample, int C> class LinearSource {
public:
    static constexpr int channels = C;
    TS_HD explicit LinearSource(const TexelArray& array) : array_(array) {}

    TS_HD int column(int i) const {
        return addressed(array_.address.x, i + array_.margin_x, array_.width + 2 * array_.margin_x);
    }
    TS_HD int row(int j) const {
        return addressed(array_.address.y, j + array_.margin_y, array_.height + 2 * array_.margin_y);
    }
    TS_HD Pixel<C> load(int column, int row) const {
        const char* line = static_cast<const char*>(array_.texels) + size_t(row) * array_.row_bytes;
        const Texel<Sample, C> texel = reinterpret_cast<const Texel<Sample, C>*>(line)[column];
        Pixel<C> p;
        TS_UNROLL
        for (int c = 0; c < C; ++c) p.v[c] = sample_to_float(texel.v[c]);
        return p;
    }

private:
    TexelArray array_;
};

// Texture-space coordinate of the stored texels, margin included, as float32: what the texture unit is handed.
// `whole` + `part` is a texture-space coordinate of the image.
TS_HD float texture_coordinate(int whole, float part, int margin, int n, bool normalised) {
    const float x = float(whole + margin) + part;
    return normalised ? x / float(n + 2 * margin) : x;
}

// Path `hardware` on the CPU: the texture unit's arithmetic as measured on one; see docs/texture-unit.md.
template <class Sample, int C> class EmulatedTextureSource {
public:
    static constexpr int channels = C;
    TS_HD explicit EmulatedTextureSource(const TexelArray& array) : texels_(array), array_(array) {}

    TS_HD Pixel<C> fetch_point(float x, float y) const {
        return texel(int(floorf(stored_coordinate(x, array_.width, array_.margin_x))),
                     int(floorf(stored_coordinate(y, array_.height, array_.margin_y))));
    }

    TS_HD Pixel<C> fetch_linear(float x, float y) const {
        const FixedPoint fx = fixed_point(stored_coordinate(x, array_.width, array_.margin_x));
        const FixedPoint fy = fixed_point(stored_coordinate(y, array_.height, array_.margin_y));
        Pixel<C> sum = Pixel<C>::zero();
        for (int dy = 0; dy < 2; ++dy)
            for (int dx = 0; dx < 2; ++dx) {
                const float weight = (dx ? fx.fraction : 1 - fx.fraction) * (dy ? fy.fraction : 1 - fy.fraction);
                if (weight != 0) sum.add_scaled(weight, texel(fx.whole + dx, fy.whole + dy));
            }
        return sum;
    }

private:
    struct FixedPoint {
        int whole;
        float fraction;  // a multiple of 1/256
    };

    // Texel centres lie at integers after the shift by half a texel; the fraction is rounded to 8 bits.
    TS_HD static FixedPoint fixed_point(float coordinate) {
        const double shifted = floor((double(coordinate) - 0.5) * 256 + 0.5);
        const double whole = floor(shifted / 256);
        return {int(whole), float(shifted - whole * 256) / 256};
    }
    TS_HD float stored_coordinate(float x, int n, int margin) const {
        return array_.normalised ? float(double(x) * (n + 2 * margin)) : x;
    }
    TS_HD Pixel<C> texel(int stored_column, int stored_row) const {
        const int column = texels_.column(stored_column - array_.margin_x);
        const int row = texels_.row(stored_row - array_.margin_y);
        return column < 0 || row < 0 ? Pixel<C>::zero() : texels_.load(column, row);
    }

    LinearSource<Sample, C> texels_;
    TexelArray array_;
};

#if defined(__CUDACC__)
template <int C> __device__ Pixel<C> texture_fetch(unsigned long long texture, float x, float y) {
    const float4 value = tex2D<float4>(texture, x, y);  // absent channels are ignored below
    const float all[4] = {value.x, value.y, value.z, value.w};
    Pixel<C> p;
    TS_UNROLL
    for (int c = 0; c < C; ++c) p.v[c] = all[c];
    return p;
}

// Path `lookup`: point-filtered texture fetches at texel centres, address mode by the texture unit.
template <int C> class LookupSource {
public:
    static constexpr int channels = C;
    TS_HD explicit LookupSource(const TexelArray& array) : array_(array) {}

    __device__ int column(int i) const { return i; }
    __device__ int row(int j) const { return j; }
    __device__ Pixel<C> load(int column, int row) const {
        return texture_fetch<C>(
            array_.point_texture,
            texture_coordinate(column, 0.5f, array_.margin_x, array_.width, array_.normalised),
            texture_coordinate(row, 0.5f, array_.margin_y, array_.height, array_.normalised));
    }

private:
    TexelArray array_;
};

// Path `hardware`: the texture unit filters.
template <int C> class HardwareSource {
public:
    static constexpr int channels = C;
    TS_HD explicit HardwareSource(const TexelArray& array) : array_(array) {}

    __device__ Pixel<C> fetch_point(float x, float y) const { return texture_fetch<C>(array_.point_texture, x, y); }
    __device__ Pixel<C> fetch_linear(float x, float y) const { return texture_fetch<C>(array_.linear_texture, x, y); }

private:
    TexelArray array_;
};
#endif

}  // namespace texelscope
