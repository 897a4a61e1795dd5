#pragma once
// The threads of a warp are its lanes; blocks have one dimension.

#include <cuda_runtime.h>

#include "gpu/core/platform.h"

namespace texelscope {

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

}  // namespace texelscope
