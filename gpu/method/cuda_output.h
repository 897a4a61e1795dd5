#pragma once
// Output of the fast kernels: three kinds, each with as little as possible to decide per pixel.

#include "gpu/core/device_limits.h"
#include "gpu/method/fixed_affine.h"
#include "gpu/method/output.h"

namespace texelscope {

// RGBA8; floats; either of them, of values in linear light.
enum class OutputKind { screen, values, linear_light };

// srgb_encoded() to 5e-7 in [0, 1], by a fraction of its instructions. No power of a subnormal number is taken.
__device__ inline float srgb_on_screen(float linear) {
    const float v = fabsf(linear);
    float exponent, power;
    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(exponent) : "f"(v));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(exponent * (1 / 2.4f)));
    return copysignf(v <= 0.0031308f ? 12.92f * v : 1.055f * power - 0.055f, linear);
}

// Moves down a column of the output and writes its pixels.
template <int C, OutputKind kind> class PixelWriter {
public:
    __device__ PixelWriter(const ResampleOutput& out, int i, int j)
        : out_(out),
          at_(static_cast<char*>(out.pixels) + size_t(j) * out.row_bytes +
              size_t(i) * (is_screen() ? sizeof(uint32_t) : sizeof(float) * size_t(out.channels))) {}

    __device__ void move_down(int rows) { at_ += ptrdiff_t(rows) * ptrdiff_t(out_.row_bytes); }

    __device__ void write(const Pixel<C>& p) const {
        if constexpr (kind == OutputKind::linear_light)
            write_as_it_is(encoded<C>(p, out_.channels, out_.has_alpha, srgb_on_screen));
        else write_as_it_is(p);
    }

    // See write_background().
    __device__ void write_background() const {
        const uint32_t grey = to_8_bits(out_.background);
        if (is_screen()) {
            *reinterpret_cast<uint32_t*>(at_) = packed(grey, grey, grey);
        } else {
            Pixel<C> p;
            TS_UNROLL
            for (int c = 0; c < C; ++c) p.v[c] = out_.has_alpha ? 0.0f : out_.background;
            store(p);
        }
    }

private:
    __device__ bool is_screen() const {
        return kind == OutputKind::linear_light ? out_.rgba8 : kind == OutputKind::screen;
    }

    __device__ void write_as_it_is(const Pixel<C>& p) const {
        if (is_screen()) *reinterpret_cast<uint32_t*>(at_) = on_screen(p);
        else store(p);
    }

    // Like to_rgba8().
    __device__ uint32_t on_screen(const Pixel<C>& p) const {
        const float part = out_.has_alpha ? background_level : 0.0f;  // of the background behind alpha 0
        if constexpr (C == 1) {
            return to_8_bits(p.v[0]) * 0x010101u | 0xff000000u;
        } else if constexpr (C == 2) {
            if (!out_.has_alpha) return packed(to_8_bits(p.v[0]), to_8_bits(p.v[1]), 0);
            return to_8_bits(p.v[0] + (part - part * p.v[1])) * 0x010101u | 0xff000000u;
        } else {
            float behind = 0;
            if (out_.has_alpha) behind = part - part * p.v[3];
            const uint32_t red_green = __byte_perm(level_byte(p.v[0] + behind), level_byte(p.v[1] + behind), 0x0040);
            return __byte_perm(red_green, level_byte(p.v[2] + behind), 0x0410) | 0xff000000u;
        }
    }

    __device__ void store(const Pixel<C>& p) const {
        float* const floats = reinterpret_cast<float*>(at_);
        if (C == 1 || out_.whole_pixels) {
            *reinterpret_cast<Pixel<C>*>(floats) = p;
        } else {
            TS_UNROLL
            for (int c = 0; c < C; ++c)
                if (c < out_.channels) floats[c] = p.v[c];
        }
    }

    const ResampleOutput& out_;
    char* at_;
};

// is_outside_axis() for the outside `background`.
__device__ inline bool is_outside_axis(SplitCoordinate x, int n) {
    return unsigned(x.whole + int(x.part >> 31)) >= unsigned(n);
}

// What is outside the samples, where that is to be NaN: written over a picture whose kernel has extended the image, so
// that no kernel that interpolates has to decide it.

// Enqueues it for a job whose outside is NaN. Throws Error if the launch is refused.
void launch_nan_outside(const ResampleJob& job, const FixedAffine& positions, const DeviceQueue& queue);

}  // namespace texelscope
