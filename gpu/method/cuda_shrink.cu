// Antialiased shrinking without rotation, filtered along one axis after the other: a thread marches down a column of
// texels and adds each to the few rows of the output that it belongs to; whenever some of these are complete, the block
// filters them along x in shared memory.

#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <type_traits>

#include "gpu/core/cuda_check.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

// A texel in the units in which it is stored; the weights along y contain the scale. An integer in the lowest bits of
// the float 2²³ is exact, and faster than a conversion.
__device__ float stored_level(unsigned bits) { return __uint_as_float(0x4b000000u | bits) - 8388608.0f; }
__device__ float stored_value(uint8_t v) { return stored_level(v); }
__device__ float stored_value(uint16_t v) { return stored_level(v); }
__device__ float stored_value(float v) { return v; }
__device__ float stored_value(HalfBits v) { return half_to_float(v.bits); }

template <class Sample> constexpr float unit_of = 1;
template <> constexpr float unit_of<uint8_t> = 1.0f / 255;
template <> constexpr float unit_of<uint16_t> = 1.0f / 65535;

// What a block of output pixels reads along an axis; both ends of `taps` included. Outside the image there is nothing.
struct Extent1d {
    int begin, end;   // pixels of the block inside the image
    int first, last;  // taps

    __device__ void clear() {
        begin = first = INT_MAX;
        end = 0;
        last = INT_MIN;
    }
    __device__ void add(int pixel, const TapRange& taps) {
        atomicMin(&begin, pixel);
        atomicMax(&end, pixel + 1);
        atomicMin(&first, taps.first);
        atomicMax(&last, taps.first + taps.count - 1);
    }
};

struct TexelRow {
    int row;     // where it is stored; −1: zero
    int output;  // the first row of the block that it belongs to
};

// A block's shared memory.
template <int C, int slots> struct ShrinkMemory {
    struct alignas(16) RowWeights {
        float w[(slots + 3) & ~3];
    };
    Pixel<C>* sums;
    RowWeights* row_weights;
    TexelRow* texel_rows;
    TapRange *taps_x, *taps_y;
    float* weights_x;

    __device__ ShrinkMemory(const ShrinkShape& shape, void* memory) {
        sums = static_cast<Pixel<C>*>(memory);
        row_weights = reinterpret_cast<RowWeights*>(static_cast<char*>(memory) + (shape.sums_bytes(C) + 15) / 16 * 16);
        texel_rows = reinterpret_cast<TexelRow*>(row_weights + shape.texel_rows);
        taps_x = reinterpret_cast<TapRange*>(texel_rows + shape.texel_rows);
        taps_y = taps_x + shape.columns;
        weights_x = reinterpret_cast<float*>(taps_y + shape.rows);
    }
};

template <class Visit> __device__ void shared_out(int count, Visit visit) {
    for (int k = int(threadIdx.x); k < count; k += shrink_threads) visit(k);
}

template <int C, int slots> class ShrinkBlock {
public:
    __device__ ShrinkBlock(const TabulatedJob& tabulated, const ShrinkShape& shape, void* memory)
        : tabulated_(tabulated),
          job_(tabulated.job),
          shape_(shape),
          memory_(shape, memory),
          i0_(int(blockIdx.x) * shape.columns),
          j0_(int(blockIdx.y) * shape.rows),
          columns_(min(shape.columns, job_.output.width - i0_)),
          rows_(min(shape.rows, job_.output.height - j0_)) {}

    __device__ void run(Extent1d& x, Extent1d& y) {
        find_extents(x, y);
        if (x.begin >= x.end || y.begin >= y.end) return write_rows_outside(rows_, rows_);
        write_rows_outside(y.begin, y.end);
        find_weights(x, y);
        switch (job_.source.type) {
            case SampleType::u8: march<uint8_t>(x, y); break;
            case SampleType::u16: march<uint16_t>(x, y); break;
            case SampleType::f16: march<HalfBits>(x, y); break;
            case SampleType::f32: march<float>(x, y); break;
        }
    }

private:
    __device__ double x_of(int column) const {
        return affine_position(job_.positions.xx, 0, job_.positions.x0, i0_ + column, 0);
    }
    __device__ double y_of(int row) const {
        return affine_position(job_.positions.yy, 0, job_.positions.y0, j0_ + row, 0);
    }

    __device__ void find_extents(Extent1d& x, Extent1d& y) {
        if (threadIdx.x == 0) {
            x.clear();
            y.clear();
        }
        __syncthreads();
        shared_out(columns_, [&](int k) {
            const double at = x_of(k);
            const bool outside = is_outside_axis(job_.outside, at, job_.source.width);
            const TapRange taps = outside ? TapRange{0, 0} : tap_range(tabulated_.x, at);
            memory_.taps_x[k] = taps;
            if (!outside) x.add(k, taps);
        });
        shared_out(rows_, [&](int k) {
            const double at = y_of(k);
            if (is_outside_axis(job_.outside, at, job_.source.height)) return;
            const TapRange taps = tap_range(tabulated_.y, at);
            memory_.taps_y[k] = taps;
            y.add(k, taps);
        });
        __syncthreads();
    }

    __device__ __noinline__ void find_weights(const Extent1d& x, const Extent1d& y) {
        const LinearTexels texels(job_.source);
        shared_out(y.last - y.first + 1, [&](int k) {
            memory_.row_weights[k] = {};
            memory_.texel_rows[k].row = texels.row(y.first + k);
        });
        __syncthreads();
        float w[max_widened_taps];
        int first;
        shared_out(rows_, [&](int k) {
            if (k < y.begin || k >= y.end) return;
            const TapRange& taps = memory_.taps_y[k];
            const int last = taps.first + taps.count - 1;
            for (int r = k == y.begin ? y.first : memory_.taps_y[k - 1].last() + 1; r <= last; ++r)
                memory_.texel_rows[r - y.first].output = k;
        });
        __syncthreads();
        const float unit = job_.source.type == SampleType::u8    ? unit_of<uint8_t>
                           : job_.source.type == SampleType::u16 ? unit_of<uint16_t>
                                                                 : 1.0f;
        shared_out(rows_, [&](int k) {
            if (k < y.begin || k >= y.end) return;
            const int count = tabulated_weights<false>(tabulated_.y, job_.source.address.y, y_of(k), first, w);
            for (int n = 0; n < count; ++n) {
                const int r = first + n - y.first, slot = k - memory_.texel_rows[r].output;
                if (slot < slots) memory_.row_weights[r].w[slot] = w[n] * unit;
            }
        });
        shared_out(columns_, [&](int k) {
            if (memory_.taps_x[k].count == 0) return;
            const int count = tabulated_weights<false>(tabulated_.x, job_.source.address.x, x_of(k), first, w);
            for (int n = 0; n < count; ++n) memory_.weights_x[k * shape_.weights_x() + n] = w[n];
        });
        __syncthreads();
    }

    template <class Sample> __device__ void march(const Extent1d& x, const Extent1d& y) {
        const LinearSource<Sample, C> source(job_.source);
        const ShrinkMemory<C, slots> memory = memory_;  // in registers
        const size_t row_bytes = job_.source.row_bytes;
        using Stored = Texel<Sample, C>;
        const int thread = int(threadIdx.x), texels = y.last - y.first + 1;
        const int column = x.first + thread <= x.last ? source.column(x.first + thread) : -1;
        const char* const from = static_cast<const char*>(job_.source.texels) + ptrdiff_t(column) * sizeof(Stored);
        Pixel<C>* const place = memory.sums + thread % shape_.phases * shape_.group() + thread / shape_.phases;
        const int pitch = shape_.phases * shape_.group();
        Pixel<C> under_way[slots];
        TS_UNROLL
        for (int n = 0; n < slots; ++n) under_way[n] = Pixel<C>::zero();
        int row = y.begin, complete = 0;  // the row of under_way[0], and how many wait to be filtered along x
        const auto finish_row = [&] {
            place[complete * pitch] = under_way[0];
            TS_UNROLL
            for (int n = 0; n + 1 < slots; ++n) under_way[n] = under_way[n + 1];
            under_way[slots - 1] = Pixel<C>::zero();
            ++row;
            if (++complete < shrink_batch) return;
            filter_along_x(row - complete, complete, x.first);
            complete = 0;
        };
        constexpr int together = 4;  // loads under way
        for (int first = 0; first < texels; first += together) {
            Stored stored[together];
            TS_UNROLL
            for (int k = 0; k < together; ++k) {
                const int at = first + k < texels ? memory.texel_rows[first + k].row : -1;
                stored[k] = Stored{};
                if (at >= 0 && column >= 0) stored[k] = *reinterpret_cast<const Stored*>(from + size_t(at) * row_bytes);
            }
            TS_UNROLL
            for (int k = 0; k < together; ++k) {
                if (first + k >= texels) break;
                while (row < memory.texel_rows[first + k].output) finish_row();
                add(memory.row_weights[first + k], stored[k], under_way);
            }
        }
        while (row < y.end) finish_row();
        if (complete > 0) filter_along_x(row - complete, complete, x.first);
    }

    template <class Sample>
    __device__ static void add(const typename ShrinkMemory<C, slots>::RowWeights& weights,
                               const Texel<Sample, C>& stored, Pixel<C> (&under_way)[slots]) {
        Pixel<C> texel;
        bool finite = true;
        TS_UNROLL
        for (int c = 0; c < C; ++c) {
            texel.v[c] = stored_value(stored.v[c]);
            if constexpr (!std::is_integral_v<Sample>) finite = finite && isfinite(texel.v[c]);
        }
        const auto all = weights;
        TS_UNROLL
        for (int n = 0; n < slots; ++n)
            if (finite || all.w[n] != 0) under_way[n].add_scaled(all.w[n], texel);
    }

    // Rows first … first + count − 1 of the block, whose sums along y are in shared memory; two at a time.
    __device__ __noinline__ void filter_along_x(int first, int count, int first_tap) {
        __syncthreads();
        const int pitch = shape_.phases * shape_.group(), pairs = (count + 1) / 2;
        shared_out(columns_ * pairs, [&](int item) {
            const int pair = item / columns_, column = item - pair * columns_, row = first + 2 * pair;
            const bool second = 2 * pair + 1 < count;
            const TapRange& taps = memory_.taps_x[column];
            const int i = i0_ + column, j = j0_ + row;
            if (taps.count == 0) {
                write_outside<C>(job_, i, j);
                if (second) write_outside<C>(job_, i, j + 1);
                return;
            }
            const float* const w = memory_.weights_x + column * shape_.weights_x();
            int offset = taps.first - first_tap, phase = offset % shape_.phases;
            const Pixel<C>* at = memory_.sums + 2 * pair * pitch + phase * shape_.group() + offset / shape_.phases;
            auto a = Pixel<C>::zero(), b = Pixel<C>::zero();
            for (int k = 0; k < taps.count; ++k) {
                if (w[k] != 0) {  // a sum that is not finite may be none of its taps
                    a.add_scaled(w[k], at[0]);
                    b.add_scaled(w[k], at[pitch]);
                }
                at += shape_.group();
                if (++phase == shape_.phases) {
                    phase = 0;
                    at += 1 - pitch;
                }
            }
            write_pixel(job_.output, i, j, a);
            if (second) write_pixel(job_.output, i, j + 1, b);
        });
        __syncthreads();
    }

    // Rows above `begin`, and from `end` on.
    __device__ __noinline__ void write_rows_outside(int begin, int end) {
        shared_out((begin + rows_ - end) * columns_, [&](int item) {
            const int k = item / columns_;
            write_outside<C>(job_, i0_ + item - k * columns_, j0_ + (k < begin ? k : end + k - begin));
        });
    }

    const TabulatedJob& tabulated_;
    const ResampleJob& job_;
    const ShrinkShape& shape_;
    ShrinkMemory<C, slots> memory_;
    int i0_, j0_, columns_, rows_;
};

template <int C, int slots>
__global__ void __launch_bounds__(shrink_threads, C == 4 ? 2 : 3)
    shrink_kernel(TabulatedJob tabulated, ShrinkShape shape) {
    extern __shared__ float4 memory[];
    __shared__ Extent1d x, y;
    ShrinkBlock<C, slots>(tabulated, shape, memory).run(x, y);
}

template <int slots> auto kernel_for(int channels) {
    return channels == 1 ? shrink_kernel<1, slots> : channels == 2 ? shrink_kernel<2, slots> : shrink_kernel<4, slots>;
}

}  // namespace

void launch_shrink(const TabulatedJob& tabulated, const ShrinkShape& shape, const DeviceQueue& queue) {
    const ResampleJob& job = tabulated.job;
    const int channels = job.source.channels;
    const auto kernel = shape.slots == 3   ? kernel_for<3>(channels)
                        : shape.slots == 5 ? kernel_for<5>(channels)
                        : shape.slots == 7 ? kernel_for<7>(channels)
                                           : kernel_for<9>(channels);
    const dim3 blocks(unsigned(job.output.width + shape.columns - 1) / unsigned(shape.columns),
                      unsigned(job.output.height + shape.rows - 1) / unsigned(shape.rows));
    allow_shared_memory(work::shrink, kernel, std::min(largest_shrink_bytes, queue.limits.shared_bytes_per_block));
    launch_kernel(work::shrink, kernel, blocks, dim3(shrink_threads), shape.bytes(channels), queue.stream, tabulated,
                  shape);
}

}  // namespace texelscope
