// Antialiased shrinking of rotated views of 8-bit samples. A pixel is wᵧᵀ · T · wₓ, of the texels T under its filter. Eight
// pixels that lie close together share T: T · Wₓ, a column of Wₓ for each of them, is a product of matrices for the tensor
// cores; a thread multiplies what it has of the result by its rows' weights, and the threads' sums are added.
//
// Texels are whole numbers up to 255, exact as halves, in units of the least one; weights are the sum of two halves, 22 bits;
// products are exact, and their sums are float.

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <climits>

#include "gpu/core/cuda_check.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

constexpr float per_least_half = 1 << 24;

// Two texels side by side as halves, a level of 1 as the least: a register for each channel.
template <int C> struct TexelPair {
    unsigned v[C];
    __device__ explicit TexelPair(const Texel<uint8_t, C>* at) {
        if constexpr (C == 1) {
            v[0] = __byte_perm(*reinterpret_cast<const uint16_t*>(at), 0, 0x4140);
        } else if constexpr (C == 2) {
            set(0, *reinterpret_cast<const unsigned*>(at));
        } else {
            const auto two = *reinterpret_cast<const uint2*>(at);
            set(0, __byte_perm(two.x, two.y, 0x5410));
            set(2, __byte_perm(two.x, two.y, 0x7632));
        }
    }

private:
    // Two channels of the left texel, then of the right one.
    __device__ void set(int channel, unsigned levels) {
        v[channel + 1] = __byte_perm(levels, 0, 0x4341);
        v[channel] = levels - (v[channel + 1] << 8);  // on another pipe than a permutation
    }
};

// 16 × 16 texels, as the threads of a warp hold them for a product. `at`: row lane / 4 and column lane % 4 · 2, which a
// thread holds with the next column, the row eight further down, and both eight columns further right.
template <int C> struct TexelMatrix {
    TexelPair<C> upper_left, lower_left, upper_right, lower_right;
    __device__ TexelMatrix(const Texel<uint8_t, C>* at, int pitch)
        : upper_left(at), lower_left(at + 8 * pitch), upper_right(at + 8), lower_right(at + 8 * pitch + 8) {}
};

// 16 × 8 weights. Of its column, lane / 4, a thread holds rows lane % 4 · 2 and the next, and those eight further down.
struct WeightMatrix {
    unsigned high[2], low[2];  // two halves each
    __device__ void set(int k, float first, float second) {
        const __half2 whole = __floats2half2_rn(first, second);
        const float2 rounded = __half22float2(whole);
        const __half2 rest = __floats2half2_rn(first - rounded.x, second - rounded.y);
        high[k] = reinterpret_cast<const unsigned&>(whole);
        low[k] = reinterpret_cast<const unsigned&>(rest);
    }
};

// 16 × 8 sums. A thread holds columns lane % 4 · 2 and the next, of row lane / 4 (0, 1) and of the eighth after it (2, 3).
struct SumMatrix {
    float v[4] = {};
    template <int C> __device__ void add(const TexelMatrix<C>& texels, int channel, const WeightMatrix& weights) {
        const unsigned a[] = {texels.upper_left.v[channel], texels.lower_left.v[channel], texels.upper_right.v[channel],
                              texels.lower_right.v[channel]};
        add(a, weights.low);
        add(a, weights.high);
    }

private:
    __device__ void add(const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(v[0]), "+f"(v[1]), "+f"(v[2]), "+f"(v[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
    }
};

// Asynchronously where the hardware can.
template <class Stored> __device__ void copy_texel(Stored* to, const Stored* from) {
    if constexpr (sizeof(Stored) == 4) __pipeline_memcpy_async(to, from, sizeof(Stored));
    else *to = *from;
}

// The texels that the block reads into shared memory, with the address modes applied. Those that are copied asynchronously are
// there after __pipeline_wait_prior(0).
template <int C>
__device__ void fill(const TexelArray& a, int first_column, int first_row, const RotatedShape& shape,
                     Texel<uint8_t, C>* tile) {
    using Stored = Texel<uint8_t, C>;
    constexpr int bytes = rotated_bytes(C), together = bytes / C;
    const LinearTexels texels(a);
    const bool are_stored =
        LinearTexels::stores(a, first_column, first_row, first_column + shape.columns - 1, first_row + shape.rows - 1);
    const bool are_aligned = (reinterpret_cast<uintptr_t>(a.texels) | a.row_bytes) % bytes == 0;
    const int lane = lane_index(), warp = warp_index(), warps = int(blockDim.x / 32);
    if (are_stored && are_aligned) {
        const auto* const first = static_cast<const char*>(a.texels) +
                                  size_t(first_row + a.margin_y + warp) * a.row_bytes +
                                  size_t(first_column + a.margin_x) * C;
        const size_t rows_bytes = size_t(warps) * a.row_bytes;
        for (int k = lane * together; k < shape.columns; k += 32 * together) {
            const char* from = first + k * C;
            for (int r = warp; r < shape.rows; r += warps, from += rows_bytes)
                __pipeline_memcpy_async(tile + r * shape.columns + k, from, bytes);
        }
        __pipeline_commit();
        return;
    }
    for (int top = 0; top < shape.rows; top += 32) {
        const int rows = min(32, shape.rows - top), row_of_lane = texels.row(first_row + top + lane);
        const auto line_of_lane =  // 0 where there is none
            LinearTexels::is_zero(row_of_lane)
                ? 0
                : reinterpret_cast<unsigned long long>(a.texels) + size_t(row_of_lane) * a.row_bytes;
        for (int left = 0; left < shape.columns; left += 32) {
            const int k = left + lane, column = texels.column(first_column + k);
            const bool is_zero = LinearTexels::is_zero(column), is_in_tile = k < shape.columns;
            Stored* const to = tile + top * shape.columns + k;
            TS_UNROLL_BY(4)
            for (int r = warp; r < rows; r += warps) {
                const auto line = __shfl_sync(all_lanes, line_of_lane, r);
                if (!is_in_tile) continue;
                if (line == 0 || is_zero) to[r * shape.columns] = Stored{};
                else copy_texel(to + r * shape.columns, reinterpret_cast<const Stored*>(line) + column);
            }
        }
    }
    __pipeline_commit();
}

__device__ int least_of_group(int v) {
    TS_UNROLL
    for (int distance = 1; distance < rotated_group; distance *= 2) v = min(v, __shfl_xor_sync(all_lanes, v, distance));
    return v;
}

// The value of this lane's pixel. first: its group's first texel in the tile. x, y: the distance of its pixel, in nodes, from the
// middle of the texels that its group multiplies.
template <int C, int steps_x>
__device__ Pixel<C> value_of(const Texel<uint8_t, C>* tile, const RotatedShape& shape, const TableWeight& weight_x,
                             const TableWeight& weight_y, int first, float x, float y) {
    const int lane = lane_index();
    const float of_column = float(lane % 4 * 2) * weight_x.per_texel, of_row = float(lane / 4) * weight_y.per_texel;
    // The pixel of a group whose sums this lane gets.
    const int summed = lane % 4 * 2 + lane / 16;
    auto value = Pixel<C>::zero();
    TS_UNROLL_BY(1)
    for (int group = 0; group < rotated_groups; ++group) {
        const int first_lane = group * rotated_group;
        WeightMatrix weights[steps_x];
        float sum_x = 0;
        const float at_x = __shfl_sync(all_lanes, x, first_lane + lane / 4) - of_column;
        TS_UNROLL
        for (int s = 0; s < steps_x; ++s) TS_UNROLL
        for (int k = 0; k < 2; ++k) {
            const int texel = s * rotated_step + 8 * k - rotated_step / 2 * steps_x;
            const float left = weight_x(at_x - float(texel) * weight_x.per_texel),
                        right = weight_x(at_x - float(texel + 1) * weight_x.per_texel);
            weights[s].set(k, left, right);
            sum_x += left + right;
        }
        sum_x += __shfl_xor_sync(all_lanes, sum_x, 1);
        sum_x += __shfl_xor_sync(all_lanes, sum_x, 2);

        // The distances along y of the two pixels whose sums along x this thread gets.
        const float even_y = __shfl_sync(all_lanes, y, first_lane + lane % 4 * 2) - of_row,
                    odd_y = __shfl_sync(all_lanes, y, first_lane + lane % 4 * 2 + 1) - of_row;
        float totals[2 * C] = {};  // even, odd
        float sums_y[2] = {};
        const Texel<uint8_t, C>* at =
            tile + __shfl_sync(all_lanes, first, first_lane) + lane / 4 * shape.columns + lane % 4 * 2;
        TS_UNROLL_BY(1)
        for (int s = 0; s < shape.steps_y; ++s, at += rotated_step * shape.columns) {
            const int texel = s * rotated_step - rotated_step / 2 * shape.steps_y;
            const float upper = float(texel) * weight_y.per_texel, lower = float(texel + 8) * weight_y.per_texel;
            const float upper_even = weight_y(even_y - upper), lower_even = weight_y(even_y - lower),
                        upper_odd = weight_y(odd_y - upper), lower_odd = weight_y(odd_y - lower);
            sums_y[0] += upper_even + lower_even;
            sums_y[1] += upper_odd + lower_odd;
            SumMatrix sums[C];
            TS_UNROLL
            for (int k = 0; k < steps_x; ++k) {
                const TexelMatrix<C> texels(at + k * rotated_step, shape.columns);
                TS_UNROLL
                for (int c = 0; c < C; ++c) sums[c].add(texels, c, weights[k]);
            }
            TS_UNROLL
            for (int c = 0; c < C; ++c) {
                totals[c] = upper_even * sums[c].v[0] + (lower_even * sums[c].v[2] + totals[c]);
                totals[C + c] = upper_odd * sums[c].v[1] + (lower_odd * sums[c].v[3] + totals[C + c]);
            }
        }

        // Each pixel to its own thread: channel c of the n-th is in the lane that `summed` and sum_over_lanes() say.
        sum_x = __shfl_sync(all_lanes, sum_x, summed * 4);
        const float sum_y = sum_over_lanes<4>(sums_y);
        const float scale =
            __fdividef(unit_of<uint8_t> * per_least_half, (sum_x != 0 ? sum_x : 1) * (sum_y != 0 ? sum_y : 1));
        const float total = scale * sum_over_lanes<4>(totals);
        const int from = lane % 2 * 16 + lane % rotated_group / 2;
        TS_UNROLL
        for (int c = 0; c < C; ++c) {
            const float of_pixel = __shfl_sync(all_lanes, total, from + c * (16 / C));
            if (lane / rotated_group == group) value.v[c] = of_pixel;
        }
    }
    return value;
}

template <int C, int steps_x>
__global__ void __launch_bounds__(most_rotated_warps * 32, rotated_blocks)
    rotated_kernel(const __grid_constant__ TabulatedJob tabulated, const __grid_constant__ RotatedShape shape) {
    extern __shared__ float4 memory[];
    __shared__ int first[2];  // column and row of the first tap
    auto* const table = reinterpret_cast<float*>(memory);
    auto* const tile = reinterpret_cast<Texel<uint8_t, C>*>(table + weight_table_floats(shape.table_rows));
    const ResampleJob& job = tabulated.job;
    const int lane = lane_index(), warp = warp_index();
    const int group = lane / rotated_group, of_group = lane % rotated_group,
              groups_across = rotated_columns / shape.group_columns;
    const int i = (int(blockIdx.x) * shape.warps_across + warp % shape.warps_across) * rotated_columns +
                  group % groups_across * shape.group_columns + of_group % shape.group_columns,
              j = (int(blockIdx.y) * shape.warps_down + warp / shape.warps_across) * rotated_rows +
                  group / groups_across * shape.group_rows + of_group / shape.group_columns;
    const Point p = position_of(job, i, j);
    const Floored x = floored(p.x), y = floored(p.y);
    const auto first_tap = [](const Floored& at, const AxisFilter& filter) {
        return at.whole + int(ceilf(at.part - filter.radius * filter.stretch));
    };
    const int first_column = least_of_group(first_tap(x, tabulated.x)),
              first_row = least_of_group(first_tap(y, tabulated.y));

    if (threadIdx.x < 2) first[threadIdx.x] = INT_MAX;
    __syncthreads();
    if (of_group == 0) {
        atomicMin(&first[0], first_column);
        atomicMin(&first[1], first_row);
    }
    __syncthreads();
    const int tile_column = first[0] - ((first[0] + job.source.margin_x) & (rotated_bytes(C) / C - 1)),
              tile_row = first[1];
    fill<C>(job.source, tile_column, tile_row, shape, tile);
    copy_weight_table(tabulated.x.table, shape.table_rows, table);
    __pipeline_wait_prior(0);
    __syncthreads();

    const int column = (first_column - tile_column) & ~1, row = first_row - tile_row;
    const TableWeight weight_x(table, tabulated.x), weight_y(table, tabulated.y);
    const auto distance = [](const Floored& at, int first_texel, int steps, const TableWeight& weight) {
        return (at.part - float(first_texel + rotated_step / 2 * steps - at.whole)) * weight.per_texel;
    };
    const Pixel<C> value = value_of<C, steps_x>(tile, shape, weight_x, weight_y, row * shape.columns + column,
                                                distance(x, tile_column + column, steps_x, weight_x),
                                                distance(y, tile_row + row, shape.steps_y, weight_y));
    if (i >= job.output.width || j >= job.output.height) return;
    if (is_outside(job, p)) write_outside<C>(job, i, j);
    else write_pixel(job.output, i, j, value);
}

template <int C> auto kernel_for(int steps_x) {
    static_assert(most_rotated_steps == 5);
    return steps_x == 1   ? rotated_kernel<C, 1>
           : steps_x == 2 ? rotated_kernel<C, 2>
           : steps_x == 3 ? rotated_kernel<C, 3>
           : steps_x == 4 ? rotated_kernel<C, 4>
                          : rotated_kernel<C, 5>;
}

}  // namespace

bool rotated_is_compiled() {
    cudaFuncAttributes attributes{};
    cuda_check(cudaFuncGetAttributes(&attributes, rotated_kernel<1, 1>), "cannot ask for the code of a kernel");
    return attributes.ptxVersion >= 80;
}

void launch_rotated(const TabulatedJob& tabulated, const RotatedShape& shape, const DeviceQueue& queue) {
    const ResampleOutput& out = tabulated.job.output;
    const int columns = shape.warps_across * rotated_columns, rows = shape.warps_down * rotated_rows;
    const dim3 blocks(unsigned(out.width + columns - 1) / unsigned(columns),
                      unsigned(out.height + rows - 1) / unsigned(rows));
    const int channels = tabulated.job.source.channels;
    const auto kernel = channels == 1   ? kernel_for<1>(shape.steps_x)
                        : channels == 2 ? kernel_for<2>(shape.steps_x)
                                        : kernel_for<4>(shape.steps_x);
    allow_shared_memory(work::rotated, kernel, most_rotated_bytes(queue.limits));  // the same for every launch
    launch_kernel(work::rotated, kernel, blocks, dim3(unsigned(shape.warps()) * 32), shape.bytes(channels),
                  queue.stream, tabulated, shape);
}

}  // namespace texelscope
