// Antialiased shrinking of rotated views of samples of any type. A pixel is wᵧᵀ · T · wₓ, of the texels T under its filter.
// Eight pixels that lie close together share T: a lane reads a column of it once, from neighbouring addresses with the other
// lanes, and adds it up with the rows' weights of all eight; these sums, times the columns' weights, are added over the lanes.

#include <cuda_runtime.h>

#include "gpu/core/cuda_check.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

constexpr int rotated_any_threads = most_rotated_warps * 32;
// Blocks that a multiprocessor has registers for, and rows read at once: as measured, more warps gain more than more rows.
template <int C> constexpr int rotated_any_blocks = C == 1 ? 4 : 3;
template <int C> constexpr int rotated_any_rows = C == 4 ? 2 : 4;

// Integer samples in the units in which they are stored.
template <class Sample, int C> __device__ Pixel<C> stored_pixel(const Texel<Sample, C>& texel) {
    Pixel<C> p;
    TS_UNROLL
    for (int c = 0; c < C; ++c) {
        if constexpr (unit_of<Sample> != 1) p.v[c] = stored_level(level_bits | texel.v[c]);
        else p.v[c] = sample_to_float(texel.v[c]);
    }
    return p;
}

__device__ int extreme_of_group(int v, int sign) {  // sign 1: the largest, −1: the least
    TS_UNROLL
    for (int distance = 1; distance < rotated_group; distance *= 2)
        v = sign * max(sign * v, sign * __shfl_xor_sync(all_lanes, v, distance));
    return v;
}

// Along an axis: the first tap of a group, how many texels there are from it to the last one, and this lane's pixel, in texels
// from the first.
struct GroupTaps {
    float reach;
    int first, count;
    float at;
    __device__ GroupTaps(const Floored& position, const AxisFilter& filter) : reach(filter.radius * filter.stretch) {
        const int least = position.whole + int(ceilf(position.part - reach)),
                  largest = position.whole + int(floorf(position.part + reach));
        first = extreme_of_group(least, -1);
        count = extreme_of_group(largest, 1) - first + 1;
        at = position.part - float(first - position.whole);
    }
    // The taps of another group, to all lanes.
    __device__ int first_of(int group) const { return __shfl_sync(all_lanes, first, group * rotated_group); }
    __device__ int count_of(int group) const { return __shfl_sync(all_lanes, count, group * rotated_group); }
    __device__ float at_of(int group) const {
        return __shfl_sync(all_lanes, at, group * rotated_group + lane_index() % rotated_group);
    }
};

// Weights of `count` texels for eight pixels, [texel][pixel], which were zero; pixel lane % 8 is `at` texels from the first and
// has taps up to `reach` from there. Returns that pixel's sum.
__device__ float write_weights(const TableWeight& weight, float at, float reach, int count, float* weights) {
    constexpr int texels = 32 / rotated_group;  // at once
    const int lane = lane_index();
    const int first = max(int(at - reach), 0), end = min(int(at + reach) + 2, count);  // a tap more is zero
    const float nodes = at * weight.per_texel;
    float sum = 0;
    TS_UNROLL_BY(4)
    for (int k = first + lane / rotated_group; k < end; k += texels) {
        const float w = weight(nodes - float(k) * weight.per_texel);
        weights[k * rotated_group + lane % rotated_group] = w;
        sum += w;
    }
    sum += __shfl_xor_sync(all_lanes, sum, 8);
    sum += __shfl_xor_sync(all_lanes, sum, 16);
    return sum;
}

// Eight weights side by side in shared memory.
struct EightWeights {
    float v[rotated_group];
    __device__ explicit EightWeights(const float* at) {
        const auto* const four = reinterpret_cast<const float4*>(at);
        const float4 a = four[0], b = four[1];
        v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w;
        v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
    }
};

// Sums of a column of texels, for eight pixels.
template <int C> struct ColumnSums {
    float v[rotated_group * C] = {};
    __device__ void add(const Pixel<C>& texel, const EightWeights& weights) {
        TS_UNROLL
        for (int p = 0; p < rotated_group; ++p) TS_UNROLL
        for (int c = 0; c < C; ++c) v[p * C + c] += weights.v[p] * texel.v[c];
    }
};

// The sums of one column of texels, `rows` of them from `first_row` on.
template <class Sample, int C>
__device__ ColumnSums<C> sums_of_column(const TexelArray& a, int column, int first_row, int rows, bool are_stored,
                                        const float* row_weights) {
    using Stored = Texel<Sample, C>;
    ColumnSums<C> sums;
    if (are_stored) {
        const char* at = static_cast<const char*>(a.texels) + size_t(first_row + a.margin_y) * a.row_bytes +
                         size_t(column + a.margin_x) * sizeof(Stored);
        TS_UNROLL_BY(rotated_any_rows<C>)
        for (int r = 0; r < rows; ++r, at += a.row_bytes)
            sums.add(stored_pixel(*reinterpret_cast<const Stored*>(at)), EightWeights(row_weights + r * rotated_group));
        return sums;
    }
    const LinearTexels texels(a);
    const int stored_column = texels.column(column);
    if (LinearTexels::is_zero(stored_column)) return sums;
    TS_UNROLL_BY(1)
    for (int r = 0; r < rows; ++r) {
        const int row = texels.row(first_row + r);
        if (LinearTexels::is_zero(row)) continue;
        const auto* const line =
            reinterpret_cast<const Stored*>(static_cast<const char*>(a.texels) + size_t(row) * a.row_bytes);
        sums.add(stored_pixel(line[stored_column]), EightWeights(row_weights + r * rotated_group));
    }
    return sums;
}

// Zero times a value that is not finite, of a texel that is another pixel's, is not zero.
template <class Sample, int C> __device__ __noinline__ void write_alone(const TabulatedJob& tabulated, int i, int j) {
    detail::tabulated_pixel<C, false>(LinearSource<Sample, C>(tabulated.job.source), tabulated, i, j);
}

template <class Sample, int C>
__global__ void __launch_bounds__(rotated_any_threads, rotated_any_blocks<C>)
    rotated_any_kernel(const __grid_constant__ TabulatedJob tabulated, const __grid_constant__ RotatedAnyShape shape) {
    extern __shared__ float4 memory[];
    auto* const table = reinterpret_cast<float*>(memory);
    const ResampleJob& job = tabulated.job;
    const TexelArray& a = job.source;
    const int lane = lane_index(), warp = warp_index();
    float* const row_weights = table + weight_table_floats(shape.table_rows) + warp * shape.weights();
    float* const column_weights = row_weights + shape.rows * rotated_group;
    const int own_group = lane / rotated_group, of_group = lane % rotated_group,
              groups_across = rotated_columns / shape.group_columns;
    const int i = (int(blockIdx.x) * shape.warps + warp) * rotated_columns +
                  own_group % groups_across * shape.group_columns + of_group % shape.group_columns,
              j = int(blockIdx.y) * rotated_rows + own_group / groups_across * shape.group_rows +
                  of_group / shape.group_columns;
    const Point p = position_of(job, i, j);
    copy_weight_table(tabulated.x.table, shape.table_rows, table);
    __syncthreads();

    const TableWeight weight_x(table, tabulated.x), weight_y(table, tabulated.y);
    const GroupTaps x(floored(p.x), tabulated.x), y(floored(p.y), tabulated.y);
    auto value = Pixel<C>::zero();
    TS_UNROLL_BY(1)
    for (int group = 0; group < rotated_groups; ++group) {
        const int first_column = x.first_of(group), columns = min(x.count_of(group), shape.columns);
        const int first_row = y.first_of(group), rows = min(y.count_of(group), shape.rows);
        const int whole = (columns + rotated_any_lanes - 1) / rotated_any_lanes * rotated_any_lanes;
        __syncwarp();  // the group before has read its weights
        for (int k = lane; k < shape.weights() / 4; k += 32)
            reinterpret_cast<float4*>(row_weights)[k] = make_float4(0, 0, 0, 0);
        __syncwarp();
        const float sum_x = write_weights(weight_x, x.at_of(group), x.reach, whole, column_weights),
                    sum_y = write_weights(weight_y, y.at_of(group), y.reach, rows, row_weights);
        __syncwarp();
        const bool are_stored =
            LinearTexels::stores(a, first_column, first_row, first_column + columns - 1, first_row + rows - 1);
        float total = 0;
        TS_UNROLL_BY(1)
        for (int left = 0; left < whole; left += rotated_any_lanes) {
            // Lanes beyond the last column read it again, with weights of zero.
            const int column = first_column + min(left + lane, columns - 1);
            ColumnSums<C> sums = sums_of_column<Sample, C>(a, column, first_row, rows, are_stored, row_weights);
            const EightWeights weights(column_weights + (left + lane) * rotated_group);
            TS_UNROLL
            for (int k = 0; k < rotated_group; ++k) TS_UNROLL
            for (int c = 0; c < C; ++c) sums.v[k * C + c] *= weights.v[k];
            total += sum_over_lanes<1>(sums.v);
        }
        const float scale = unit_of<Sample> / ((sum_x != 0 ? sum_x : 1) * (sum_y != 0 ? sum_y : 1));
        TS_UNROLL
        for (int c = 0; c < C; ++c) {
            const float of_pixel = __shfl_sync(all_lanes, total, (of_group * C + c) * (32 / (rotated_group * C)));
            if (own_group == group) value.v[c] = scale * of_pixel;
        }
    }

    if (i >= job.output.width || j >= job.output.height) return;
    if (is_outside(job, p)) return write_outside<C>(job, i, j);
    if constexpr (unit_of<Sample> == 1) {
        bool finite = true;
        TS_UNROLL
        for (int c = 0; c < C; ++c) finite &= fabsf(value.v[c]) < INFINITY;
        if (!finite) return write_alone<Sample, C>(tabulated, i, j);
    }
    write_pixel(job.output, i, j, value);
}

}  // namespace

void launch_rotated_any(const TabulatedJob& tabulated, const RotatedAnyShape& shape, const DeviceQueue& queue) {
    const ResampleOutput& out = tabulated.job.output;
    const int columns = shape.warps * rotated_columns;
    const dim3 blocks(unsigned(out.width + columns - 1) / unsigned(columns),
                      unsigned(out.height + rotated_rows - 1) / unsigned(rotated_rows));
    detail::for_texel_type(tabulated.job.source, [&]<class Sample, int C>() {
        const auto kernel = rotated_any_kernel<Sample, C>;
        allow_shared_memory(work::rotated_any, kernel,
                            queue.limits.shared_bytes_per_block);  // the same for every launch
        launch_kernel(work::rotated_any, kernel, blocks, dim3(unsigned(shape.warps) * 32), shape.bytes(), queue.stream,
                      tabulated, shape);
    });
}

}  // namespace texelscope
