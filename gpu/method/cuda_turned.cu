// Antialiased shrinking of rotated views of 8-bit samples. A pixel is wᵧᵀ · T · wₓ, of the texels T under its filter. Eight
// pixels that lie close together share T: T · Wₓ, a column of Wₓ for each of them, is a product of matrices for the tensor
// cores; a thread multiplies what it has of the result by its rows' weights, and the threads' sums are added.
//
// Texels are whole numbers up to 255, exact as halves; weights are the sum of two halves, 22 bits; products are exact, and
// their sums are float.

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <climits>

#include "gpu/core/cuda_check.h"
#include "gpu/method/cuda_levels.h"
#include "gpu/method/cuda_turned.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;

// Two texels side by side as halves: a register for each channel.
template <int C> struct TexelPair {
    unsigned v[C];
    __device__ explicit TexelPair(const Texel<uint8_t, C>* at) {
        unsigned channels[(C + 1) / 2];  // the levels of two channels, each left and right
        if constexpr (C == 1) {
            channels[0] = *reinterpret_cast<const uint16_t*>(at);
        } else if constexpr (C == 2) {
            channels[0] = __byte_perm(*reinterpret_cast<const unsigned*>(at), 0, 0x3120);
        } else {
            const auto two = *reinterpret_cast<const uint2*>(at);
            channels[0] = __byte_perm(two.x, two.y, 0x5140);
            channels[1] = __byte_perm(two.x, two.y, 0x7362);
        }
        TS_UNROLL
        for (int c = 0; c < C; ++c) {
            constexpr unsigned high_byte = 0x64646464;  // of the half 1024, whose lowest bits are then a level
            const unsigned levels = __byte_perm(channels[c / 2], high_byte, c % 2 == 0 ? 0x4140 : 0x4342);
            const __half2 halves = __hsub2(reinterpret_cast<const __half2&>(levels), __float2half2_rn(1024));
            v[c] = reinterpret_cast<const unsigned&>(halves);
        }
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

// Like table_value(), of a table in shared memory.
struct Weight {
    const float* table;
    float radius, per_sample;  // table_value()'s unit: 1 / stretch
    __device__ float operator()(float distance) const {
        const float u = fabsf(distance * per_sample);
        const float at = fminf(u, radius) * table_nodes;  // no branch: a thread's weights are then computed together
        const unsigned bits = __float_as_uint(__fadd_rz(at, 8388608.0f));  // its last ones: the whole part
        const unsigned node = bits - level_bits;
        const float left = table[node], right = table[node + 1];
        return u < radius ? left + (at - stored_level(bits)) * (right - left) : 0;
    }
};

// Where a pixel is along an axis: `from` samples before the first texel that its group reads, plus t of one.
struct PlaceInGroup {
    float from, t;
    __device__ float distance(int texel) const { return t - (from + float(texel)); }
    __device__ PlaceInGroup of_lane(int lane) const {
        return {__shfl_sync(all_lanes, from, lane), __shfl_sync(all_lanes, t, lane)};
    }
};

// The texels that the block reads into shared memory, with the address modes applied.
template <int C>
__device__ void fill(const TexelArray& a, int first_column, int first_row, const TurnedShape& shape,
                     Texel<uint8_t, C>* tile) {
    using Stored = Texel<uint8_t, C>;
    constexpr int together = turned_bytes / C;
    const LinearTexels texels(a);
    const bool are_stored =
        LinearTexels::stores(a, first_column, first_row, first_column + shape.columns - 1, first_row + shape.rows - 1);
    const bool are_aligned = (reinterpret_cast<uintptr_t>(a.texels) | a.row_bytes) % turned_bytes == 0;
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, warps = int(blockDim.x) / 32;
    const auto row_at = [&](size_t stored_row) {
        return reinterpret_cast<const Stored*>(static_cast<const char*>(a.texels) + stored_row * a.row_bytes);
    };
    if (are_stored && are_aligned) {
        for (int r = warp; r < shape.rows; r += warps) {
            const Stored* const from = row_at(size_t(first_row + a.margin_y + r)) + first_column + a.margin_x;
            for (int k = lane * together; k < shape.columns; k += 32 * together)
                __pipeline_memcpy_async(tile + r * shape.columns + k, from + k, turned_bytes);
        }
        __pipeline_commit();
        __pipeline_wait_prior(0);
        return;
    }
    for (int r = warp; r < shape.rows; r += warps) {
        const int row = texels.row(first_row + r);
        const Stored* const from = row_at(size_t(max(row, 0)));
        for (int k = lane; k < shape.columns; k += 32) {
            const int column = texels.column(first_column + k);
            tile[r * shape.columns + k] = row < 0 || column < 0 ? Stored{} : from[column];
        }
    }
}

// The sum over the lanes with the same lane % 4.
__device__ float sum_over_rows(float v) {
    TS_UNROLL
    for (int distance = 4; distance < 32; distance *= 2) v += __shfl_xor_sync(all_lanes, v, distance);
    return v;
}

__device__ int least_of_group(int v) {
    TS_UNROLL
    for (int distance = 1; distance < turned_group; distance *= 2) v = min(v, __shfl_xor_sync(all_lanes, v, distance));
    return v;
}

// The value of this lane's pixel. column, row: of its group's first texel in the tile; x, y: of its pixel.
template <int C, int steps_x>
__device__ Pixel<C> value_of(const Texel<uint8_t, C>* tile, const TurnedShape& shape, const Weight& weight_x,
                             const Weight& weight_y, int column, int row, const PlaceInGroup& x,
                             const PlaceInGroup& y) {
    const int lane = int(threadIdx.x) % 32;
    auto value = Pixel<C>::zero();
    TS_UNROLL_BY(1)
    for (int group = 0; group < turned_groups; ++group) {
        const int first_lane = group * turned_group;
        WeightMatrix weights[steps_x];
        float sum_x = 0;
        const PlaceInGroup at_x = x.of_lane(first_lane + lane / 4);
        TS_UNROLL
        for (int s = 0; s < steps_x; ++s) TS_UNROLL
        for (int k = 0; k < 2; ++k) {
            const int texel = s * turned_step + 8 * k + lane % 4 * 2;
            const float first = weight_x(at_x.distance(texel)), second = weight_x(at_x.distance(texel + 1));
            weights[s].set(k, first, second);
            sum_x += first + second;
        }
        sum_x += __shfl_xor_sync(all_lanes, sum_x, 1);
        sum_x += __shfl_xor_sync(all_lanes, sum_x, 2);

        // Of the two pixels whose sums along x this thread gets.
        const PlaceInGroup even_y = y.of_lane(first_lane + lane % 4 * 2),
                           odd_y = y.of_lane(first_lane + lane % 4 * 2 + 1);
        auto even = Pixel<C>::zero(), odd = Pixel<C>::zero();
        float sum_even = 0, sum_odd = 0;
        const Texel<uint8_t, C>* at = tile + (__shfl_sync(all_lanes, row, first_lane) + lane / 4) * shape.columns +
                                      __shfl_sync(all_lanes, column, first_lane) + lane % 4 * 2;
        TS_UNROLL_BY(1)
        for (int s = 0; s < shape.steps_y; ++s, at += turned_step * shape.columns) {
            const int texel = s * turned_step + lane / 4;
            const float upper_even = weight_y(even_y.distance(texel)),
                        lower_even = weight_y(even_y.distance(texel + 8)), upper_odd = weight_y(odd_y.distance(texel)),
                        lower_odd = weight_y(odd_y.distance(texel + 8));
            sum_even += upper_even + lower_even;
            sum_odd += upper_odd + lower_odd;
            SumMatrix sums[C];
            TS_UNROLL
            for (int k = 0; k < steps_x; ++k) {
                const TexelMatrix<C> texels(at + k * turned_step, shape.columns);
                TS_UNROLL
                for (int c = 0; c < C; ++c) sums[c].add(texels, c, weights[k]);
            }
            TS_UNROLL
            for (int c = 0; c < C; ++c) {
                even.v[c] += upper_even * sums[c].v[0] + lower_even * sums[c].v[2];
                odd.v[c] += upper_odd * sums[c].v[1] + lower_odd * sums[c].v[3];
            }
        }

        // Each pixel to its own thread.
        const int from = lane % turned_group / 2;
        const auto mine = [&](float of_even, float of_odd) {
            of_even = __shfl_sync(all_lanes, sum_over_rows(of_even), from);
            of_odd = __shfl_sync(all_lanes, sum_over_rows(of_odd), from);
            return lane % 2 == 0 ? of_even : of_odd;
        };
        const float sum_y = mine(sum_even, sum_odd);
        sum_x = __shfl_sync(all_lanes, sum_x, lane % turned_group * 4);
        const float scale = unit_of<uint8_t> / ((sum_x != 0 ? sum_x : 1) * (sum_y != 0 ? sum_y : 1));
        TS_UNROLL
        for (int c = 0; c < C; ++c) {
            const float total = mine(even.v[c], odd.v[c]);
            if (lane / turned_group == group) value.v[c] = total * scale;
        }
    }
    return value;
}

template <int C, int steps_x>
__global__ void __launch_bounds__(most_turned_warps * 32, turned_blocks)
    turned_kernel(const __grid_constant__ TabulatedJob tabulated, const __grid_constant__ TurnedShape shape) {
    extern __shared__ float4 memory[];
    __shared__ int first[2];  // column and row of the first tap
    auto* const table = reinterpret_cast<float*>(memory);
    auto* const tile = reinterpret_cast<Texel<uint8_t, C>*>(table + shape.table_floats());
    const ResampleJob& job = tabulated.job;
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32;
    const int group = lane / turned_group, of_group = lane % turned_group,
              groups_across = turned_columns / shape.group_columns;
    const int i = (int(blockIdx.x) * shape.warps_across + warp % shape.warps_across) * turned_columns +
                  group % groups_across * shape.group_columns + of_group % shape.group_columns,
              j = (int(blockIdx.y) * shape.warps_down + warp / shape.warps_across) * turned_rows +
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
    for (int k = int(threadIdx.x); k < shape.table; k += int(blockDim.x)) table[k] = __ldg(tabulated.x.table + k);
    __syncthreads();
    const int tile_column = first[0] - ((first[0] + job.source.margin_x) & (turned_bytes / C - 1)), tile_row = first[1];
    fill<C>(job.source, tile_column, tile_row, shape, tile);
    __syncthreads();

    const int column = (first_column - tile_column) & ~1, row = first_row - tile_row;
    const Weight weight_x{table, tabulated.x.radius, 1 / tabulated.x.stretch},
        weight_y{table, tabulated.y.radius, 1 / tabulated.y.stretch};
    const Pixel<C> value = value_of<C, steps_x>(tile, shape, weight_x, weight_y, column, row,
                                                {float(tile_column + column - x.whole), x.part},
                                                {float(tile_row + row - y.whole), y.part});
    if (i >= job.output.width || j >= job.output.height) return;
    if (is_outside(job, p)) write_outside<C>(job, i, j);
    else write_pixel(job.output, i, j, value);
}

template <int C> auto kernel_for(int steps_x) {
    static_assert(most_turned_steps == 5);
    return steps_x == 1   ? turned_kernel<C, 1>
           : steps_x == 2 ? turned_kernel<C, 2>
           : steps_x == 3 ? turned_kernel<C, 3>
           : steps_x == 4 ? turned_kernel<C, 4>
                          : turned_kernel<C, 5>;
}

}  // namespace

void launch_turned(const TabulatedJob& tabulated, const TurnedShape& shape, const DeviceQueue& queue) {
    const ResampleOutput& out = tabulated.job.output;
    const int columns = shape.warps_across * turned_columns, rows = shape.warps_down * turned_rows;
    const dim3 blocks(unsigned(out.width + columns - 1) / unsigned(columns),
                      unsigned(out.height + rows - 1) / unsigned(rows));
    const int channels = tabulated.job.source.channels;
    const auto kernel = channels == 1   ? kernel_for<1>(shape.steps_x)
                        : channels == 2 ? kernel_for<2>(shape.steps_x)
                                        : kernel_for<4>(shape.steps_x);
    allow_shared_memory(work::turned, kernel, most_turned_bytes(queue.limits));  // the same for every launch
    launch_kernel(work::turned, kernel, blocks, dim3(unsigned(shape.warps()) * 32), shape.bytes(channels), queue.stream,
                  tabulated, shape);
}

}  // namespace texelscope
