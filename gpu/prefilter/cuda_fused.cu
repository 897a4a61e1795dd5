#include "gpu/prefilter/prefilter.h"

#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

// A block marches down a strip of columns, a chunk of rows in each step. A lane holds four neighbouring pixels of one
// channel; the lanes of a pixel's channels are side by side.
//   Along the row both sums, causal and anticausal, are scans: within the lane, over lanes by shuffles, and from the
// neighbouring warps through shared memory. Nothing farther than `reach` pixels matters to float32.
//   Down the column the causal sum is a running state. Its values wait in a ring in shared memory until the rows below
// have been read; of those rows the anticausal sum needs only one number per chunk, which stays in registers.
template <int chunk_, int warps_, int blocks_> struct Shape {
    static constexpr int chunk = chunk_, warps = warps_,
                         blocks = blocks_;  // rows; per block; concurrent on a multiprocessor
    static constexpr int threads = 32 * warps, reach = 16, ahead = reach / chunk;
    static constexpr int ring = chunk + reach;  // rows
    static constexpr int shared_bytes = ring * threads * int(sizeof(float4));
};

constexpr int pixels = 4;  // per lane

struct FusedJob {
    TexelArray samples, out;
    AddressPair extension;
    void* coefficients;
    float pole, scale;  // scale: of the result
    int strip;          // columns that a block writes
    int segment;        // rows that a block writes
    bool aligned;       // the pixels of a lane can be read in one load
};

template <class Sample> struct alignas(sizeof(Sample) * pixels) Raw { Sample v[pixels]; };

struct Quad {
    float v[pixels];
};

// `number`: channels count. Columns and rows count from the margin's first.
template <bool half_float> __device__ char* coefficient_at(const FusedJob& job, int number, int row) {
    return static_cast<char*>(job.coefficients) + size_t(row) * job.out.row_bytes +
           ptrdiff_t(number) * (half_float ? 2 : 4);
}

// Powers of the pole, 0 if they would reach beyond the warp. C: lanes per pixel.
template <int C> struct Powers {
    float z, constant;                    // constant: Σ z^k, the sum of a row of ones
    float up[2], down[2];                 // for the scan's steps, over 1 and 2 times 4 pixels
    float first_up, first_down;           // z, except for the first and the last pixels of the warp
    float before[pixels], after[pixels];  // for the neighbouring warps' sums at the lane's pixels

    __device__ Powers(float pole, int lane) : z(pole), constant(1 / (1 - pole)) {
        const float z2 = pole * pole, z4 = z2 * z2;
        up[0] = lane >= C ? z4 : 0.0f;
        up[1] = lane >= 2 * C ? z4 * z4 : 0.0f;
        down[0] = lane < 32 - C ? z4 : 0.0f;
        down[1] = lane < 32 - 2 * C ? z4 * z4 : 0.0f;
        first_up = lane >= C ? pole : 0.0f;
        first_down = lane < 32 - C ? pole : 0.0f;
        float from_before = pole, from_after = pole;
        for (int k = C; k <= lane; k += C) from_before *= z4;
        for (int k = 31 - C; k >= lane; k -= C) from_after *= z4;
        TS_UNROLL
        for (int i = 0; i < pixels; ++i, from_before *= pole, from_after *= pole) {
            before[i] = from_before;
            after[pixels - 1 - i] = from_after;
        }
    }
};

// The causal sum of the lane's pixels up to its last, and the anticausal one from its first on.
__device__ void own_sums(float z, const Quad& s, float& causal, float& anticausal) {
    causal = s.v[0];
    anticausal = s.v[pixels - 1];
    TS_UNROLL
    for (int i = 1; i < pixels; ++i) {
        causal = s.v[i] + z * causal;
        anticausal = s.v[pixels - 1 - i] + z * anticausal;
    }
}

// Σ z^|k| s within the warp, in place. The lane's own sums become those over 16 pixels.
template <int C> __device__ void filter_in_warp(const Powers<C>& p, Quad& s, float& causal, float& anticausal) {
    TS_UNROLL
    for (int k = 0; k < 2; ++k) {
        causal += p.up[k] * __shfl_up_sync(all_lanes, causal, C << k);
        anticausal += p.down[k] * __shfl_down_sync(all_lanes, anticausal, C << k);
    }
    float before = __shfl_up_sync(all_lanes, causal, C), after = __shfl_down_sync(all_lanes, anticausal, C);
    float both[pixels];
    TS_UNROLL
    for (int i = 0; i < pixels; ++i) both[i] = before = s.v[i] + (i == 0 ? p.first_up : p.z) * before;
    TS_UNROLL
    for (int i = pixels - 1; i >= 0; --i) {
        const float z = i == pixels - 1 ? p.first_down : p.z;
        both[i] += z * after;
        after = s.v[i] + z * after;
    }
    TS_UNROLL
    for (int i = 0; i < pixels; ++i) s.v[i] = both[i];
}

// Reads a lane's pixels, extended beyond the edges. No branch separates the loads of a chunk: it would make each wait
// for the one before.
template <class Sample, int C, bool vectors> class RowReader {
public:
    // x: first of the lane's columns. Lanes that do not take part read values that do not matter. `found` becomes true
    // if a stand-in was read.
    __device__ RowReader(const FusedJob& job, int x, int channel, bool takes_part, bool& found)
        : job_(job), channel_(channel), found_(found) {
        TS_UNROLL
        for (int i = 0; i < pixels; ++i)
            columns_[i] = !takes_part ? 0 : vectors ? x + i : addressed(job.extension.x, x + i, job.samples.width);
    }

    // Rows y … y + chunk − 1. If the border mode makes a row zero, the values read do not matter.
    template <int chunk> __device__ void read(int y, Raw<Sample> (&raw)[chunk]) const {
        int rows[chunk];
        if (y >= 0 && y + chunk <= job_.samples.height) {
            TS_UNROLL
            for (int r = 0; r < chunk; ++r) rows[r] = y + r;
        } else {
            const int mine = max(addressed(job_.extension.y, y + int(threadIdx.x) % chunk, job_.samples.height), 0);
            TS_UNROLL
            for (int r = 0; r < chunk; ++r) rows[r] = __shfl_sync(all_lanes, mine, r);
        }
        TS_UNROLL
        for (int r = 0; r < chunk; ++r) {
            const Sample* line = row_at(rows[r]) + channel_;
            if constexpr (vectors && C == 1) {
                raw[r] = *reinterpret_cast<const Raw<Sample>*>(line + columns_[0]);
            } else {
                TS_UNROLL
                for (int i = 0; i < pixels; ++i)
                    raw[r].v[i] = line[ptrdiff_t(vectors ? columns_[0] + i : max(columns_[i], 0)) * C];
            }
        }
    }

    template <int chunk> __device__ void to_floats(int y, const Raw<Sample> (&raw)[chunk], Quad (&s)[chunk]) const {
        TS_UNROLL
        for (int r = 0; r < chunk; ++r) TS_UNROLL
        for (int i = 0; i < pixels; ++i) {
            if constexpr (std::is_integral_v<Sample>) s[r].v[i] = stored_level(level_bits | raw[r].v[i]);
            else s[r].v[i] = sample_to_float(raw[r].v[i]);
            if (!vectors && columns_[i] < 0) s[r].v[i] = 0;
        }
        if (job_.extension.y != AddressMode::border || (y >= 0 && y + chunk <= job_.samples.height)) return;
        TS_UNROLL
        for (int r = 0; r < chunk; ++r)
            if (y + r < 0 || y + r >= job_.samples.height) s[r] = Quad{};
    }

    // The lane's pixels of row y as the filter sees them; see prefilter.h.
    __device__ void replace_non_finite(int y, Quad& s) const {
        TS_UNROLL
        for (int i = 0; i < pixels; ++i) s.v[i] = stand_in(y, i, s.v[i]);
        found_ = true;
    }

private:
    __device__ float stand_in(int y, int i, float v) const {
        const int row = addressed(job_.extension.y, y, job_.samples.height);
        return row < 0 || columns_[i] < 0 ? v : stand_in(row_at(row) + channel_, columns_[i], job_.samples.width, v);
    }
    static __device__ __noinline__ float stand_in(const Sample* line, int column, int width, float v) {
        const auto sample = [&](int at) { return sample_to_float(line[ptrdiff_t(at) * C]); };
        return finite_stand_in(v, sample(max(column - 1, 0)), sample(min(column + 1, width - 1)));
    }
    __device__ const Sample* row_at(int row) const {
        return reinterpret_cast<const Sample*>(static_cast<const char*>(job_.samples.texels) +
                                               size_t(row) * job_.samples.row_bytes);
    }

    const FusedJob& job_;
    int channel_;
    bool& found_;
    int columns_[pixels];  // stored columns; −1: zero
};

// Four pixels of a channel per lane → 16 bytes per lane as they are in memory: lane q of a pixel's C lanes then has the
// pixels from q · 4 / C on.
template <int C> __device__ float4 in_memory_order(const Quad& w, int lane) {
    float v[pixels] = {w.v[0], w.v[1], w.v[2], w.v[3]};
    if constexpr (C == 2) {
        const bool odd = lane % 2;
        const float a = __shfl_xor_sync(all_lanes, odd ? v[0] : v[2], 1),
                    b = __shfl_xor_sync(all_lanes, odd ? v[1] : v[3], 1);
        return odd ? make_float4(a, v[2], b, v[3]) : make_float4(v[0], a, v[1], b);
    }
    if constexpr (C == 4) {
        TS_UNROLL
        for (int step = 1; step <= 2; step *= 2) {  // transposes 2 × 2 blocks, then the blocks
            const bool upper = lane & step;
            TS_UNROLL
            for (int i = 0; i < pixels; ++i) {
                if (i & step) continue;
                const float got = __shfl_xor_sync(all_lanes, upper ? v[i] : v[i + step], step);
                if (upper) v[i] = got;
                else v[i + step] = got;
            }
        }
    }
    return make_float4(v[0], v[1], v[2], v[3]);
}

// See prefilter.h; for the block's own coefficients, once they are written.
template <class Sample, int C, bool half_float>
__device__ void restore_all_non_finite(const FusedJob& job, int first_column, int last_column, int first_row,
                                       int last_row) {
    const LinearSource<Sample, C> samples(job.samples);
    const int columns = last_column - first_column;
    for (int k = int(threadIdx.x); k < columns * (last_row - first_row); k += int(blockDim.x)) {
        const int x = first_column + k % columns, y = first_row + k / columns;
        const int column = addressed(job.extension.x, x - job.out.margin_x, job.samples.width);
        const int row = addressed(job.extension.y, y - job.out.margin_y, job.samples.height);
        if (column < 0 || row < 0) continue;
        const Pixel<C> sample = samples.load(column, row);
        for (int c = 0; c < C; ++c)
            if (!is_filterable(sample.v[c]))
                store_coefficients<half_float>(coefficient_at<half_float>(job, x * C + c, y), {sample.v[c]});
    }
}

template <class Sample, int C, bool half_float, class Shape, bool vectors>
__device__ void march(const FusedJob& job, float4* ring) {
    constexpr int chunk = Shape::chunk, ahead = Shape::ahead, warps = Shape::warps;
    __shared__ float carries[2][2][chunk][warps + 2][C];  // [parity][before, after]; warps 0 and warps + 1: nothing
    __shared__ bool found;                                // whether a value is not finite
    if (threadIdx.x == 0) found = false;
    // Not lane_index() and warp_index(): unsigned remainders are so cheap that the compiler computes them, and what depends on
    // them, again in every step of the loop, which takes a fifth longer.
    const int lane = int(threadIdx.x) % 32, warp = int(threadIdx.x) / 32, channel = lane % C;
    for (int k = int(threadIdx.x); k < int(sizeof(carries) / sizeof(float)); k += Shape::threads)
        (&carries[0][0][0][0][0])[k] = 0;
    __syncthreads();

    const int width = job.out.width + 2 * job.out.margin_x, height = job.out.height + 2 * job.out.margin_y;
    const int first_column = int(blockIdx.x) * job.strip, last_column = min(first_column + job.strip, width);
    const int column = first_column - Shape::reach + int(threadIdx.x) / C * pixels;  // of the output
    const int first_row = int(blockIdx.y) * job.segment, last_row = min(first_row + job.segment, height);
    const RowReader<Sample, C, vectors> reader(job, column - job.out.margin_x, channel,
                                               column < last_column + Shape::reach, found);
    const Powers<C> p(job.pole, lane);
    float z_chunk = p.z;
    for (int k = 1; k < chunk; ++k) z_chunk *= p.z;
    const bool idle = column - lane / C * pixels >= last_column + Shape::reach;  // the whole warp

    // Where this lane writes: the pixels that in_memory_order() gives it.
    const int out_column = column + channel * (pixels / C);
    const bool writes = out_column >= first_column && out_column < last_column;
    char* out = coefficient_at<half_float>(job, out_column * C, first_row);

    Quad state, sums[ahead - 1];  // sums: the anticausal ones of each of the last chunks, the oldest first
    Raw<Sample> raw[chunk];
    int row = first_row - Shape::reach;
    if (!idle) reader.read(row - job.out.margin_y, raw);
    for (int slot = 0, parity = 0; row < last_row + Shape::reach; row += chunk, parity ^= 1) {
        if (idle) {
            __syncthreads();
            continue;
        }
        Quad s[chunk];
        reader.to_floats(row - job.out.margin_y, raw, s);
        reader.read(row + chunk - job.out.margin_y, raw);  // unused after the last chunk
        TS_UNROLL
        for (int r = 0; r < chunk; ++r) {
            float causal, anticausal;
            own_sums(p.z, s[r], causal, anticausal);
            if constexpr (!std::is_integral_v<Sample>)
                // of four values: none of them can be beyond the largest unless this is beyond a hundredth of it
                if (!(fabsf(causal) <= 0.01f * largest_filterable)) {
                    reader.replace_non_finite(row + r - job.out.margin_y, s[r]);
                    own_sums(p.z, s[r], causal, anticausal);
                }
            filter_in_warp(p, s[r], causal, anticausal);
            if (lane >= 32 - C) carries[parity][0][r][warp + 1][channel] = causal;
            if (lane < C) carries[parity][1][r][warp + 1][channel] = anticausal;
        }
        __syncthreads();
        TS_UNROLL
        for (int r = 0; r < chunk; ++r) {
            const float before = carries[parity][0][r][warp][channel], after = carries[parity][1][r][warp + 2][channel];
            TS_UNROLL
            for (int i = 0; i < pixels; ++i) s[r].v[i] += p.before[i] * before + p.after[i] * after;
            if (r == 0 && row == first_row - Shape::reach)  // as if all rows above were like this one
                TS_UNROLL
            for (int i = 0; i < pixels; ++i) state.v[i] = s[0].v[i] * p.constant;
            const Quad& above = r == 0 ? state : s[r - 1];
            TS_UNROLL
            for (int i = 0; i < pixels; ++i) s[r].v[i] += p.z * above.v[i];
            ring[(slot + r) * Shape::threads + threadIdx.x] = make_float4(s[r].v[0], s[r].v[1], s[r].v[2], s[r].v[3]);
        }
        state = s[chunk - 1];
        Quad newest = state;
        TS_UNROLL
        for (int r = chunk - 2; r >= 0; --r) TS_UNROLL
        for (int i = 0; i < pixels; ++i) newest.v[i] = s[r].v[i] + p.z * newest.v[i];
        // The rows that are `reach` above: their anticausal sum continues from those of the chunks since.
        const int done = row - Shape::reach;
        slot = slot + chunk < Shape::ring ? slot + chunk : 0;
        if (done >= first_row) {
            Quad w = newest;
            TS_UNROLL
            for (int k = ahead - 2; k >= 0; --k) TS_UNROLL
            for (int i = 0; i < pixels; ++i) w.v[i] = sums[k].v[i] + z_chunk * w.v[i];
            TS_UNROLL
            for (int r = chunk - 1; r >= 0; --r) {
                const float4 v = ring[(slot + r) * Shape::threads + threadIdx.x];
                w = {v.x + p.z * w.v[0], v.y + p.z * w.v[1], v.z + p.z * w.v[2], v.w + p.z * w.v[3]};
                const float4 result = in_memory_order<C>(
                    {job.scale * w.v[0], job.scale * w.v[1], job.scale * w.v[2], job.scale * w.v[3]}, lane);
                if (writes && done + r < last_row)
                    store_coefficients<half_float>(out + size_t(r) * job.out.row_bytes,
                                                   {result.x, result.y, result.z, result.w});
            }
            out += chunk * job.out.row_bytes;
        }
        TS_UNROLL
        for (int k = 0; k + 1 < ahead - 1; ++k) sums[k] = sums[k + 1];
        sums[ahead - 2] = newest;
    }
    if constexpr (!std::is_integral_v<Sample>) {
        __syncthreads();
        if (found) restore_all_non_finite<Sample, C, half_float>(job, first_column, last_column, first_row, last_row);
    }
}

template <class Sample, int C, bool half_float, class Shape>
__device__ void filter_strip(const FusedJob& job, float4* ring) {
    // Over all that the strip reads.
    const int first = int(blockIdx.x) * job.strip - Shape::reach - job.out.margin_x;
    const int last = min(first + job.strip + 2 * Shape::reach, job.samples.width + job.out.margin_x + Shape::reach);
    if ((C > 1 || job.aligned) && first >= 0 && last <= job.samples.width)
        march<Sample, C, half_float, Shape, true>(job, ring);
    else march<Sample, C, half_float, Shape, false>(job, ring);
}

template <class Sample, int C, bool half_float, class Shape, bool batch>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks) filter_fused(const FusedJob job) {
    extern __shared__ float4 ring[];  // [Shape::ring][threads]
    if constexpr (batch) {
        FusedJob of_image = job;
        take_image(of_image);
        filter_strip<Sample, C, half_float, Shape>(of_image, ring);
    } else {
        filter_strip<Sample, C, half_float, Shape>(job, ring);
    }
}

template <class Sample, int C, bool half_float, class Shape> void enqueue(FusedJob job, const DeviceQueue& queue) {
    const int width = job.out.width + 2 * job.out.margin_x, height = job.out.height + 2 * job.out.margin_y;
    job.strip = Shape::threads / C * pixels - 2 * Shape::reach;
    const int strips = (width + job.strip - 1) / job.strip;
    job.segment = fused_segment(height, strips, Shape::threads, Shape::shared_bytes, Shape::blocks, Shape::chunk,
                                Shape::reach, queue.limits);
    constexpr bool together = filters_batches<Sample> && !half_float;
    const auto function = job.samples.images > 1 ? filter_fused<Sample, C, half_float, Shape, together>
                                                 : filter_fused<Sample, C, half_float, Shape, false>;
    allow_shared_memory(work::fused_prefilter, function, Shape::shared_bytes);
    for_images<together>(job, [&](const FusedJob& of, unsigned images) {
        const dim3 grid(unsigned(strips), unsigned((height + job.segment - 1) / job.segment), images);
        launch_kernel(work::fused_prefilter, function, grid, Shape::threads, Shape::shared_bytes, queue.stream, of);
    });
}

}  // namespace

void filter_fused_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                          const TexelArray& out, void* out_texels, const DeviceQueue& queue) {
    const PrefilterKernel& kernel = filter.x;
    FusedJob job{samples, out, extension, out_texels, float(kernel.pole[0]), 0, 0, 0, false};
    const double z = kernel.pole[0], gain = kernel.gain[0];
    // b(k) = gain · z^|k| along each axis. The row's sums are z^|k|; two recursions in turn give z^|k| / (1 − z²).
    job.scale = float(gain * gain * (1 - z * z));
    detail::for_texel_type(samples, [&]<class Sample, int C>() {
        const size_t lane_bytes = pixels * sizeof(Sample);
        job.aligned =
            reinterpret_cast<uintptr_t>(samples.texels) % lane_bytes == 0 && samples.row_bytes % lane_bytes == 0;
        job.scale *= unit_of<Sample>;
        const auto enqueue_shape = [&]<class Shape>() {
            if (out.type == SampleType::f16) enqueue<Sample, C, true, Shape>(job, queue);
            else enqueue<Sample, C, false, Shape>(job, queue);
        };
        // The fastest of those measured. Four channels leave a block of four warps few columns beside its halo.
        using Wide = Shape<4, 8, 2>;
        if constexpr (C == 4)
            if (size_t(Wide::shared_bytes) <= queue.limits.shared_bytes_per_block)
                return enqueue_shape.template operator()<Wide>();
        enqueue_shape.template operator()<Shape<4, 4, 4>>();
    });
}

}  // namespace texelscope
