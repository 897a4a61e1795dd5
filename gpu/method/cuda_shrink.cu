// Antialiased shrinking without rotation, filtered along one axis after the other: a thread marches down a column of
// texels and adds each to the few rows of the output that it belongs to; whenever some of these are complete, the block
// filters them along x in shared memory.

#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <type_traits>

#include "gpu/core/cuda_check.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/cuda_shrink.h"
#include "gpu/method/cuda_texel_ring.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

// What a block of output pixels reads along an axis; both ends of `taps` included. Outside the image there is nothing.
struct Extent1d {
    int begin, end;   // pixels of the block inside the image
    int first, last;  // taps

    __device__ void clear() {
        begin = first = INT_MAX;
        end = 0;
        last = INT_MIN;
    }
    __device__ void add(int pixel, const ShrinkTaps& taps) {
        atomicMin(&begin, pixel);
        atomicMax(&end, pixel + 1);
        atomicMin(&first, taps.first);
        atomicMax(&last, taps.last());
    }
    __device__ bool empty() const { return begin >= end; }
};

// What a row of texels adds to the rows of the output that it belongs to. Read as a whole.
template <int slots> struct alignas(16) RowWeights { float w[ShrinkShape::weights_y(slots)]; };

template <class Visit> __device__ void shared_out(int count, Visit visit) {
    for (int k = int(threadIdx.x); k < count; k += shrink_threads) visit(k);
}

template <class Sample, int C, int slots> class ShrinkBlock {
public:
    __device__ ShrinkBlock(const TabulatedJob& tabulated, const ShrinkShape& shape, float4* memory, Extent1d& x,
                           Extent1d& y)
        : tabulated_(tabulated),
          job_(tabulated.job),
          shape_(shape),
          x_(x),
          y_(y),
          i0_(int(blockIdx.x) * shape.columns),
          j0_(int(blockIdx.y) * shape.rows),
          columns_(min(shape.columns, job_.output.width - i0_)),
          rows_(min(shape.rows, job_.output.height - j0_)),
          ring_(memory),
          sums_(reinterpret_cast<float*>(memory + shrink_ring(int(sizeof(Sample))) / sizeof(float4))),
          row_weights_(reinterpret_cast<RowWeights<slots>*>(sums_ + shape.sums_bytes(C) / sizeof(float))),
          taps_x_(reinterpret_cast<ShrinkTaps*>(row_weights_ + shape.texel_rows)),
          taps_y_(taps_x_ + shape.columns),
          row_at_(reinterpret_cast<long long*>(taps_y_ + shape.rows)),
          first_output_(reinterpret_cast<int*>(row_at_ + shape.texel_rows)),
          weights_x_(reinterpret_cast<float*>(first_output_ + shape.texel_rows)) {}

    __device__ void run() {
        find_extents();
        if (x_.empty() || y_.empty()) return write_rows_outside(rows_, rows_);
        write_rows_outside(y_.begin, y_.end);
        find_weights();
        march();
    }

private:
    __device__ double x_of(int column) const {
        const Cut& cut = job_.cut;
        if (cut.is_part) return affine_position(job_.positions.xx, 0, cut.x0, double(i0_ + column) + cut.i, 0) - cut.x;
        return affine_position(job_.positions.xx, 0, job_.positions.x0, i0_ + column, 0);
    }
    __device__ double y_of(int row) const {
        const Cut& cut = job_.cut;
        if (cut.is_part) return affine_position(job_.positions.yy, 0, cut.y0, double(j0_ + row) + cut.j, 0) - cut.y;
        return affine_position(job_.positions.yy, 0, job_.positions.y0, j0_ + row, 0);
    }

    __device__ bool is_outside_span(double at, const ImageSpan& image, double beyond) const {
        return is_outside_axis(job_.outside, at - image.first, int(image.last - image.first) + 1, beyond);
    }

    __device__ static ShrinkTaps taps_at(const AxisFilter& filter, double at, bool outside) {
        if (outside) return {};
        const TapRange taps = tap_range(filter, at);
        const int whole = int(floor_to_integer(at));
        return {taps.first, taps.count, taps.first - whole, float(at - whole)};
    }

    __device__ void find_extents() {
        if (threadIdx.x == 0) {
            x_.clear();
            y_.clear();
        }
        __syncthreads();
        shared_out(columns_, [&](int k) {
            const double at = x_of(k);
            taps_x_[k] = taps_at(tabulated_.x, at, is_outside_span(at, image_columns(job_), job_.source.beyond_x));
            if (taps_x_[k].count > 0) x_.add(k, taps_x_[k]);
        });
        shared_out(rows_, [&](int k) {
            const double at = y_of(k);
            taps_y_[k] = taps_at(tabulated_.y, at, is_outside_span(at, image_rows(job_), job_.source.beyond_y));
            if (taps_y_[k].count > 0) y_.add(k, taps_y_[k]);
        });
        __syncthreads();
    }

    // The weights of the pixels of an axis over their sum, times `unit`; place(pixel, k): where the k-th goes. Some
    // lanes of a warp to each pixel.
    template <class Place>
    __device__ static void find_weights(const AxisFilter& filter, const ShrinkTaps* all_taps, int pixels, int most_taps,
                                        float unit, Place place) {
        const int lanes = most_taps > 16 ? 32 : most_taps > 8 ? 16 : 8;
        const int lane = int(threadIdx.x) & (lanes - 1), at_once = shrink_threads / lanes;
        for (int first = 0; first < pixels; first += at_once) {
            const int pixel = first + int(threadIdx.x) / lanes;
            const ShrinkTaps taps = pixel < pixels ? all_taps[pixel] : ShrinkTaps{};
            float sum = 0;
            for (int k = lane; k < taps.count; k += lanes) {
                const float w = table_value<false>(filter, (taps.t - float(taps.before + k)) / filter.stretch);
                if (float* const to = place(pixel, k)) *to = w;
                sum += w;
            }
            for (int distance = lanes / 2; distance > 0; distance /= 2)
                sum += __shfl_xor_sync(all_lanes, sum, distance);
            if (filter.derivative || sum == 0) sum = 1;
            for (int k = lane; k < taps.count; k += lanes)
                if (float* const to = place(pixel, k)) *to = *to / sum * unit;
        }
    }

    __device__ void find_weights() const {
        const LinearTexels texels(job_.source);
        const int count = y_.last - y_.first + 1;
        shared_out(shape_.texel_rows, [&](int r) {
            row_weights_[r] = {};
            const int row = r < count ? texels.row(y_.first + r) : -1;
            row_at_[r] = row < 0 ? -1 : (long long)(size_t(row) * job_.source.row_bytes);
        });
        shared_out(rows_, [&](int k) {
            if (k < y_.begin || k >= y_.end) return;
            for (int r = k == y_.begin ? y_.first : taps_y_[k - 1].last() + 1; r <= taps_y_[k].last(); ++r)
                first_output_[r - y_.first] = k;
        });
        __syncthreads();
        find_weights(tabulated_.x, taps_x_, columns_, shape_.taps_x, 1,
                     [&](int column, int k) { return weights_x_ + column * shape_.weights_x() + k; });
        find_weights(tabulated_.y, taps_y_, rows_, shape_.taps_y, unit_of<Sample>, [&](int row, int k) {
            const int r = taps_y_[row].first + k - y_.first, slot = row - first_output_[r];
            // One too many is a tap at the filter's very end, whose weight is rounded from zero.
            return slot < slots ? &row_weights_[r].w[slot] : nullptr;
        });
        __syncthreads();
    }

    __device__ void march() const {
        using Ring = TexelRing<Sample, C>;
        const int end = y_.end;
        const int alignment = (x_.first + job_.source.margin_x) & (Ring::texels - 1), first_tap = x_.first - alignment;
        const Ring ring(ring_, job_.source, first_tap, x_.last, row_at_);
        TS_UNROLL
        for (unsigned r = 0; r + Ring::together < Ring::rows; r += Ring::together) ring.request(r);
        int places[Ring::texels];  // of the thread's sums
        TS_UNROLL
        for (int k = 0; k < Ring::texels; ++k) {
            const int column = int(threadIdx.x) * Ring::texels + k;
            places[k] = column % shape_.phases * shape_.group(C) + column / shape_.phases;
        }
        float under_way[slots][shrink_samples] = {};
        unsigned r = 0;
        for (int row = y_.begin; row < end;) {
            const int first = row;
            for (; row < end && row < first + shape_.batch; ++row) {
                for (const unsigned stop = unsigned(taps_y_[row].last() + 1 - y_.first); r < stop; ++r) {
                    if (r % Ring::together == 0) {
                        ring.request(r + Ring::rows - Ring::together);
                        ring.wait();
                    }
                    add(row_weights_[r], ring[r], under_way);
                }
                store(under_way[0], sums(row - first), places);
                TS_UNROLL
                for (int n = 0; n < slots; ++n) TS_UNROLL
                for (int k = 0; k < shrink_samples; ++k) under_way[n][k] = n + 1 < slots ? under_way[n + 1][k] : 0;
            }
            filter_along_x(first, row - first, first_tap);
        }
    }

    __device__ static void add(const RowWeights<slots>& in_memory, const Samples<Sample>& stored,
                               float (&under_way)[slots][shrink_samples]) {
        const RowWeights<slots> weights = in_memory;
        float value[shrink_samples];
        stored_values(stored, value);
        bool finite = true;
        if constexpr (!std::is_integral_v<Sample>) {
            TS_UNROLL
            for (int k = 0; k < shrink_samples; ++k) finite = finite && isfinite(value[k]);
        }
        TS_UNROLL
        for (int n = 0; n < slots; ++n)
            if (finite || weights.w[n] != 0) {
                TS_UNROLL
                for (int k = 0; k < shrink_samples; ++k) under_way[n][k] += weights.w[n] * value[k];
            }
    }

    __device__ int pitch() const { return shape_.phases * shape_.group(C); }
    __device__ Pixel<C>* sums(int row) const { return reinterpret_cast<Pixel<C>*>(sums_) + row * pitch(); }

    __device__ static void store(const float (&samples)[shrink_samples], Pixel<C>* sums,
                                 const int (&places)[shrink_samples / C]) {
        TS_UNROLL
        for (int k = 0; k < shrink_samples / C; ++k) {
            Pixel<C> sum;
            TS_UNROLL
            for (int c = 0; c < C; ++c) sum.v[c] = samples[k * C + c];
            sums[places[k]] = sum;
        }
    }

    // Rows first … first + count − 1 of the block, whose sums along y are in shared memory; two at a time.
    __device__ void filter_along_x(int first, int count, int first_tap) const {
        __syncthreads();
        const int pairs = (count + 1) / 2;
        shared_out(columns_ * pairs, [&](int item) {
            const int pair = item / columns_, column = item - pair * columns_, row = first + 2 * pair;
            const bool second = 2 * pair + 1 < count;
            const ShrinkTaps taps = taps_x_[column];
            const int i = i0_ + column, j = j0_ + row;
            if (taps.count == 0) {
                write_outside<C>(job_, i, j);
                if (second) write_outside<C>(job_, i, j + 1);
                return;
            }
            const float* const w = weights_x_ + column * shape_.weights_x();
            const int offset = taps.first - first_tap;
            int phase = offset % shape_.phases;
            const Pixel<C>* at = sums(2 * pair) + phase * shape_.group(C) + offset / shape_.phases;
            auto a = Pixel<C>::zero(), b = Pixel<C>::zero();
            for (int k = 0; k < taps.count; ++k) {
                if (w[k] != 0) {  // a sum that is not finite may be none of its taps
                    a.add_scaled(w[k], at[0]);
                    b.add_scaled(w[k], at[pitch()]);
                }
                at += shape_.group(C);
                if (++phase == shape_.phases) {
                    phase = 0;
                    at += 1 - pitch();
                }
            }
            write_pixel(job_.output, i, j, a);
            if (second) write_pixel(job_.output, i, j + 1, b);
        });
        __syncthreads();
    }

    // Rows above `begin`, and from `end` on.
    __device__ void write_rows_outside(int begin, int end) const {
        shared_out((begin + rows_ - end) * columns_, [&](int item) {
            const int k = item / columns_;
            write_outside<C>(job_, i0_ + item - k * columns_, j0_ + (k < begin ? k : end + k - begin));
        });
    }

    const TabulatedJob& tabulated_;
    const ResampleJob& job_;
    const ShrinkShape& shape_;
    Extent1d &x_, &y_;
    int i0_, j0_, columns_, rows_;
    void* ring_;
    float* sums_;
    RowWeights<slots>* row_weights_;
    ShrinkTaps *taps_x_, *taps_y_;
    long long* row_at_;
    int* first_output_;
    float* weights_x_;
};

template <class Sample, int C, int slots>
__global__ void __launch_bounds__(shrink_threads, shrink_blocks(slots))
    shrink_kernel(TabulatedJob tabulated, const __grid_constant__ ShrinkShape shape) {
    extern __shared__ float4 memory[];
    __shared__ Extent1d x, y;
    detail::take_image(tabulated.job);
    ShrinkBlock<Sample, C, slots>(tabulated, shape, memory, x, y).run();
}

template <class Sample, int C> auto kernel_for(int slots) {
    return slots == 3   ? shrink_kernel<Sample, C, 3>
           : slots == 5 ? shrink_kernel<Sample, C, 5>
           : slots == 7 ? shrink_kernel<Sample, C, 7>
                        : shrink_kernel<Sample, C, 9>;
}

}  // namespace

void launch_shrink(const TabulatedJob& tabulated, const ShrinkShape& shape, const DeviceQueue& queue) {
    const ResampleJob& job = tabulated.job;
    const dim3 blocks(unsigned(job.output.width + shape.columns - 1) / unsigned(shape.columns),
                      unsigned(job.output.height + shape.rows - 1) / unsigned(shape.rows), unsigned(job.source.images));
    detail::for_texel_type(job.source, [&]<class Sample, int C>() {
        const auto kernel = kernel_for<Sample, C>(shape.slots);
        allow_shared_memory(work::shrink, kernel, std::min(largest_shrink_bytes, queue.limits.shared_bytes_per_block));
        launch_kernel(work::shrink, kernel, blocks, dim3(shrink_threads), shape.bytes(C, int(sizeof(Sample))),
                      queue.stream, tabulated, shape);
    });
}

}  // namespace texelscope
