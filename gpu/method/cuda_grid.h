#pragma once
// The shape of a launch with a thread a pixel, and whether it was taken.

#include <cuda_runtime.h>

#include <string>

#include "gpu/core/errors.h"
#include "gpu/method/resample_job.h"

namespace texelscope {
namespace detail {

struct PixelGrid {
    dim3 blocks, block;
};

// A thread a pixel; kernels stride over the rows beyond the grid's limit.
inline PixelGrid pixel_grid(const ResampleOutput& out) {
    const dim3 block(32, 8);
    const unsigned columns = (unsigned(out.width) + block.x - 1) / block.x;
    const unsigned rows = (unsigned(out.height) + block.y - 1) / block.y;
    return {dim3(columns, rows < 65535u ? rows : 65535u), block};
}

inline void check_launch(const char* what) {
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
        throw Error(std::string("the GPU refused the ") + what + " kernel: " + cudaGetErrorString(error));
}

}  // namespace detail
}  // namespace texelscope
