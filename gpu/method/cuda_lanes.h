#pragma once
// The threads of a warp are its lanes; blocks have one dimension.

#include <cuda_runtime.h>

namespace texelscope {

inline constexpr unsigned all_lanes = 0xffffffffu;  // that take part in a shuffle

__device__ inline int lane_index() { return int(threadIdx.x % 32); }
__device__ inline int warp_index() { return int(threadIdx.x / 32); }

}  // namespace texelscope
