#pragma once
// The kernels for weights from a table whose blocks share texels: antialiased shrinking. Each enqueues a job, whose shape
// this is, and throws Error if the launch is refused.

#include "gpu/core/timing.h"
#include "gpu/method/block_shapes.h"
#include "gpu/method/tabulated.h"

#if defined(__CUDACC__)
#include "gpu/method/cuda_grid.h"
#endif

namespace texelscope {

namespace work {
inline constexpr WorkName rotated{"interpolation, shrinking and rotating"},
    rotated_any{"interpolation, shrinking and rotating, any samples"};
}

// Without rotation.
void launch_shrink(const TabulatedJob& job, const ShrinkShape& shape, const DeviceQueue& queue);

// Rotated views of 8-bit samples, if the kernel can run on the current device as this program has it: code that was
// compiled for a compute capability below 8.0 has no matrix products, wherever it runs.
bool rotated_is_compiled();
void launch_rotated(const TabulatedJob& tabulated, const RotatedShape& shape, const DeviceQueue& queue);

// Rotated views of samples of any type.
void launch_rotated_any(const TabulatedJob& tabulated, const RotatedAnyShape& shape, const DeviceQueue& queue);

#if defined(__CUDACC__)

// A table of the weight function in a block's shared memory, for kernels that look up many weights.

// Like table_value(), of a table in shared memory, where nodes that are a power of two apart are in different banks. Distances
// are in nodes.
struct TableWeight {
    float radius, per_texel;
    unsigned table;  // such that the bits of a float 2²³ + n are n's place in it
    // After the barrier behind which the table can be read.
    __device__ TableWeight(const float* nodes, const AxisFilter& filter)
        : radius(filter.radius * table_nodes),
          per_texel(table_nodes / filter.stretch),
          table(unsigned(__cvta_generic_to_shared(nodes)) - weight_table_place(level_bits) * unsigned(sizeof(float))) {
        // Opaque: no read comes before this, and ptxas does not split the sum into two for each read.
        table = __shfl_sync(all_lanes, table, 0);
    }
    __device__ float operator()(float distance) const {
        const float at = fminf(fabsf(distance), radius);                   // where a zero is
        const unsigned bits = __float_as_uint(__fadd_rz(at, 8388608.0f));  // its last ones: the whole part
        const unsigned address = table + weight_table_place(bits) * unsigned(sizeof(float));
        float left, right;
        asm("ld.shared.f32 %0, [%1];" : "=f"(left) : "r"(address));
        asm("ld.shared.f32 %0, [%1+4];" : "=f"(right) : "r"(address));
        return left + (at - stored_level(bits)) * (right - left);
    }
};

// By all threads of a block. A row ends with the first node of the next; the last one is for the radius itself, from where on
// weights are zero.
__device__ inline void copy_weight_table(const float* from, int rows, float* table) {
    const int lane = lane_index(), warp = warp_index(), warps = int(blockDim.x / 32);
    for (int row = warp; row < rows; row += warps) {
        const float* const nodes = from + row * weight_table_row;
        float* const to = table + row * (weight_table_row + 1);
        TS_UNROLL
        for (int k = 0; k < weight_table_row; k += 32) to[k + lane] = __ldg(nodes + k + lane);
        if (lane == 0) to[weight_table_row] = __ldg(nodes + weight_table_row);
    }
    if (threadIdx.x < 2) table[rows * (weight_table_row + 1) + int(threadIdx.x)] = 0;
}

#endif

}  // namespace texelscope
