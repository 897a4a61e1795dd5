#pragma once
// Output of the fast kernels: two kinds, each with as little as possible to decide per pixel.

#include "gpu/method/output.h"

namespace texelscope {

enum class OutputKind { screen, values };

// Long and rarely needed: not in every kernel's registers.
template <int C> __device__ __noinline__ Pixel<C> encoded_apart(Pixel<C> p, int channels, bool has_alpha) {
    return encoded(p, channels, has_alpha);
}

// Moves down a column of the output and writes its pixels.
template <int C, OutputKind kind> class PixelWriter {
public:
    __device__ PixelWriter(const ResampleJob& job, int i, int j)
        : out_(job.output),
          at_(static_cast<char*>(out_.pixels) + size_t(j) * out_.row_bytes +
              size_t(i) * (kind == OutputKind::screen ? sizeof(uint32_t) : sizeof(float) * size_t(out_.channels))),
          nan_outside_(job.outside == Outside::nan) {}

    __device__ void move_down(int rows) { at_ += ptrdiff_t(rows) * ptrdiff_t(out_.row_bytes); }

    __device__ void write(Pixel<C> p) const {
        if (out_.encode_srgb) p = encoded_apart(p, out_.channels, out_.has_alpha);
        if constexpr (kind == OutputKind::screen) *reinterpret_cast<uint32_t*>(at_) = on_screen(p);
        else store(p);
    }

    // See texelscope::write_outside().
    __device__ void write_outside() const {
        if (nan_outside_) write(Pixel<C>::nan());
        else write_background();
    }

private:
    __device__ void write_background() const {
        const uint32_t grey = to_8_bits(out_.background);
        if constexpr (kind == OutputKind::screen) {
            *reinterpret_cast<uint32_t*>(at_) = packed(grey, grey, grey);
        } else {
            Pixel<C> p;
            TS_UNROLL
            for (int c = 0; c < C; ++c) p.v[c] = out_.has_alpha ? 0.0f : out_.background;
            store(p);
        }
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
    bool nan_outside_;
};

}  // namespace texelscope
