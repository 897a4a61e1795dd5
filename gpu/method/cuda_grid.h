#pragma once
// What kernels share: the shape of a launch with one thread per pixel, the lanes of a warp, samples as they are stored.

#include <cstdint>

#include <cuda_runtime.h>

#include "gpu/core/cuda_check.h"
#include "gpu/core/platform.h"
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

// The thread's pixel, perhaps beyond the last column or row.
struct GridPixel {
    int i, j;
};
__device__ inline GridPixel grid_pixel() {
    return {int(blockIdx.x * blockDim.x + threadIdx.x),
            int((blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y)};
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

}  // namespace texelscope
