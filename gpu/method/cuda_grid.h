#pragma once
// What kernels share: the shape of a launch with one thread per pixel, the lanes of a warp, samples as they are stored.

#include <cstdint>

#include <cuda_runtime.h>

#include "gpu/core/cuda_check.h"
#include "gpu/core/machine.h"
#include "gpu/core/platform.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

namespace detail {

struct PixelGrid {
    dim3 blocks, block;
};

// One thread per pixel; blocks beyond the limit of a grid's rows are in further layers. A loop over rows instead would keep
// what is the same in all of them in registers, also where there is only one.
inline PixelGrid pixel_grid(int width, int height) {
    const dim3 block(32, 8);
    const unsigned columns = (unsigned(width) + block.x - 1) / block.x;
    const unsigned rows = (unsigned(height) + block.y - 1) / block.y;
    const unsigned layers = (rows + most_blocks_down - 1) / most_blocks_down;
    return {dim3(columns, layers > 1 ? most_blocks_down : rows, layers), block};
}
inline PixelGrid pixel_grid(const ResampleOutput& out) { return pixel_grid(out.width, out.height); }

// The images of a batch are layers of the grid instead: see most_batched_rows.
inline PixelGrid pixel_grid(int width, int height, int images) {
    PixelGrid grid = pixel_grid(width, height);
    if (images > 1) grid.blocks.z = unsigned(images);
    return grid;
}
inline PixelGrid pixel_grid(const ResampleJob& job) {
    return pixel_grid(job.output.width, job.output.height, job.source.images);
}

// The thread's pixel, perhaps beyond the last column or row.
struct GridPixel {
    int i, j;
};
__device__ inline GridPixel grid_pixel() {
    return {int(blockIdx.x * blockDim.x + threadIdx.x),
            int((blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y)};
}
__device__ inline GridPixel grid_pixel(int images) {
    const unsigned layer = images > 1 ? 0 : blockIdx.z;
    return {int(blockIdx.x * blockDim.x + threadIdx.x),
            int((layer * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y)};
}

// Leaves of a batch the image of this block; a single image stays.
__device__ inline void take_image(TexelArray& array) {
    array.texels = static_cast<const char*>(array.texels) + blockIdx.z * array.image_bytes;
}
__device__ inline void take_image(ResampleJob& job) {
    take_image(job.source);
    job.output.pixels = static_cast<char*>(job.output.pixels) + blockIdx.z * job.output.image_bytes;
}

}  // namespace detail

// The threads of a warp are its lanes; blocks have one dimension.

inline constexpr unsigned all_lanes = 0xffffffffu;  // that take part in a shuffle

__device__ inline int lane_index() { return int(threadIdx.x % 32); }
__device__ inline int warp_index() { return int(threadIdx.x / 32); }

// Sums of n values over the lanes with the same lane % apart. With each step a lane sends half of its values to another and
// keeps the sums of the others, as long as it has several: value k = lane / 16 · n / 2 + lane / 8 % 2 · n / 4 + …
template <int apart, int n, int distance = 16> __device__ float sum_over_lanes(const float (&v)[n]) {
    if constexpr (distance < apart) {
        return v[0];
    } else {
        constexpr int kept = n > 1 ? n / 2 : 1;
        float sums[kept];
        const bool keeps_last = n > 1 && (threadIdx.x & distance) != 0;
        TS_UNROLL
        for (int k = 0; k < kept; ++k) {
            const float last = v[n - kept + k];
            sums[k] = (keeps_last ? last : v[k]) + __shfl_xor_sync(all_lanes, keeps_last ? v[k] : last, distance);
        }
        return sum_over_lanes<apart, kept, distance / 2>(sums);
    }
}

// Integer samples as floats in the units in which they are stored, for kernels whose weights contain the scale.

// What a stored sample of 1 is worth.
template <class Sample> inline constexpr float unit_of = 1;
template <> inline constexpr float unit_of<uint8_t> = 1.0f / 255;
template <> inline constexpr float unit_of<uint16_t> = 1.0f / 65535;

// An integer below 2²³ in the lowest bits of the float 2²³ is exact, and faster than a conversion.
inline constexpr unsigned level_bits = 0x4b000000u;
__device__ inline float stored_level(unsigned float_bits) { return __uint_as_float(float_bits) - 8388608.0f; }

// Output of the fast kernels: three kinds, each with as little as possible to decide per pixel.

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
