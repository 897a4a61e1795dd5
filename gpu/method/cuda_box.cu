// Boxes on the GPU: each thread adds up the samples of a pixel, or of some of its rows, from linear memory. Threads side by
// side read boxes side by side, so all of a row of samples is read at once, 16 bytes a thread where boxes allow it.

#include <cuda_runtime.h>

#include <type_traits>

#include "gpu/core/cuda_check.h"
#include "gpu/method/box.h"
#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"
#include "gpu/method/tap_source.h"

namespace texelscope {
namespace {

// Where a block's pixels have their boxes from: memory, or the filters of a table.
struct StoredSpans {
    BoxSpansView spans;
    __device__ BoxSpan column(const ResampleJob&, int i) const { return spans.x[i]; }
    __device__ BoxSpan row(const ResampleJob&, int j) const { return spans.y[j]; }
};
struct FilterSpans {
    AxisFilter x, y;
    static constexpr int outside = -1;  // as a count

    __device__ BoxSpan column(const ResampleJob& job, int i) const {
        const Affine& p = job.positions;
        const Cut& cut = job.cut;
        const double at = cut.is_part ? affine_position(p.xx, 0, cut.x0, double(i) + cut.i, 0) - cut.x
                                      : affine_position(p.xx, 0, p.x0, i, 0);
        return inside(job, image_columns(job), job.source.beyond_x, at) ? box_span(x, at) : BoxSpan{0, outside};
    }
    __device__ BoxSpan row(const ResampleJob& job, int j) const {
        const Affine& p = job.positions;
        const Cut& cut = job.cut;
        const double at = cut.is_part ? affine_position(p.yy, 0, cut.y0, double(j) + cut.j, 0) - cut.y
                                      : affine_position(p.yy, 0, p.y0, j, 0);
        return inside(job, image_rows(job), job.source.beyond_y, at) ? box_span(y, at) : BoxSpan{0, outside};
    }

private:
    __device__ static bool inside(const ResampleJob& job, const ImageSpan& image, double beyond, double at) {
        return !is_outside_axis(job.outside, at - image.first, int(image.last - image.first) + 1, beyond);
    }
};

// So many bytes of a row of samples, read at once.
template <int bytes> struct alignas(bytes) Bytes { uint32_t words[bytes / 4]; };
template <> struct alignas(2) Bytes<2> { uint16_t words[1]; };
template <> struct Bytes<1> { uint8_t words[1]; };

template <class Sample> __device__ float stored_value(const uint32_t* words, int k) {
    if constexpr (sizeof(Sample) == 4) return __uint_as_float(words[k]);
    else if constexpr (std::is_same_v<Sample, uint8_t>)
        return stored_level(__byte_perm(words[k / 4], level_bits, 0x7440u + unsigned(k % 4)));
    else {
        const uint32_t word = words[k / 2];
        if constexpr (std::is_same_v<Sample, uint16_t>)
            return stored_level(__byte_perm(word, level_bits, k % 2 == 0 ? 0x7410u : 0x7432u));
        else return half_to_float(uint16_t(k % 2 == 0 ? word : word >> 16));
    }
}
template <class Sample, class Word> __device__ float stored_value(const Word* words, [[maybe_unused]] int k) {
    if constexpr (std::is_same_v<Sample, HalfBits>) return half_to_float(words[0]);
    else if constexpr (sizeof(Sample) < sizeof(Word)) return stored_level(level_bits | (words[0] >> (8 * k) & 0xffu));
    else return stored_level(level_bits | words[0]);
}

// Four channels of 8 bits are added up two in a word, in 16 bits each: an exact sum in a third of the instructions.
template <class Sample, int C> inline constexpr bool packs = C == 4 && std::is_same_v<Sample, uint8_t>;
constexpr int most_packed = 0xffff / 0xff;  // texels

template <class Sample, int C, bool even> class BoxPixel {
public:
    static constexpr int texel_bytes = int(sizeof(Sample)) * C;

    __device__ BoxPixel(const TexelArray& source, const BoxRule& rule, const BoxSpan& x, const BoxSpan& y, int lanes)
        : texels_(source), rule_(rule), x_(x), y_(y), lanes_(lanes), lane_(lane_index() & (lanes - 1)) {}

    // In all of a pixel's lanes.
    __device__ Pixel<C> value() const {
        Pixel<C> sum = total();
        TS_UNROLL
        for (int c = 0; c < C; ++c) sum.v[c] = finished_sum(sum.v[c]);
        return sum;
    }

private:
    // Lanes decide together how they read: those that share a pixel then add its rows up in step.
    __device__ Pixel<C> total() const {
        const TexelArray& a = texels_.array();
        const bool stored =
            LinearTexels::stores(a, x_.first, y_.first, x_.first + x_.count - 1, y_.first + y_.count - 1);
        if (!__all_sync(all_lanes, stored))
            return sum_of_rows<1>([&](int row, Pixel<C>(&sums)[1]) { sums[0] = addressed_row(row); });
        const char* const from = texels_.line(y_.first + a.margin_y) + size_t(x_.first + a.margin_x) * texel_bytes;
        const auto whole_vectors = [&](int bytes) {
            const size_t all = size_t(from) | a.row_bytes | size_t(x_.count * texel_bytes);
            return __all_sync(all_lanes, all % size_t(bytes) == 0);
        };
        if constexpr (even && texel_bytes < 16)
            if (whole_vectors(16)) {
                if constexpr (packs<Sample, C>)
                    if (lanes_ == 1 && (long long)(x_.count) * y_.count <= most_packed) return packed_sum(from);
                return stored_rows<16>(from);
            }
        if constexpr (even && texel_bytes < 4)
            if (whole_vectors(4)) return stored_rows<4>(from);
        return stored_rows<texel_bytes>(from);
    }

    __device__ Pixel<C> packed_sum(const char* from) const {
        constexpr int at_once = box_rows_at_once, together = 16 / texel_bytes;
        const size_t row_bytes = texels_.array().row_bytes;
        uint32_t first_and_third = 0, second_and_fourth = 0;
        for (int row = 0; row < y_.count; row += at_once)
            for (int k = 0; k < x_.count; k += together) {
                Bytes<16> loaded[at_once];
                TS_UNROLL
                for (int n = 0; n < at_once; ++n)
                    loaded[n] = *reinterpret_cast<const Bytes<16>*>(
                        from + size_t(min(row + n, y_.count - 1)) * row_bytes + k * texel_bytes);
                TS_UNROLL
                for (int n = 0; n < at_once; ++n) TS_UNROLL
                for (int s = 0; s < together; ++s) {
                    const uint32_t word = row + n < y_.count ? loaded[n].words[s] : 0;
                    first_and_third += word & 0x00ff00ffu;
                    second_and_fourth += __byte_perm(word, 0, 0x4341);
                }
            }
        Pixel<C> sum;
        TS_UNROLL
        for (int c = 0; c < C; ++c)
            sum.v[c] = float((c % 2 == 0 ? first_and_third : second_and_fourth) >> (c < 2 ? 0 : 16) & 0xffff);
        return sum;
    }

    template <int bytes> __device__ Pixel<C> stored_rows(const char* from) const {
        constexpr int at_once = box_rows_at_once;
        const size_t row_bytes = texels_.array().row_bytes;
        return sum_of_rows<at_once>([&](int first, Pixel<C>(&sums)[at_once]) {
            const char* rows[at_once];
            TS_UNROLL
            for (int n = 0; n < at_once; ++n) {
                rows[n] = from + size_t(min(first + n * lanes_, y_.count - 1)) * row_bytes;
                sums[n] = Pixel<C>::zero();
            }
            constexpr int together = bytes / texel_bytes;
            for (int k = 0; k < x_.count; k += together) {
                Bytes<bytes> loaded[at_once];
                TS_UNROLL
                for (int n = 0; n < at_once; ++n)
                    loaded[n] = *reinterpret_cast<const Bytes<bytes>*>(rows[n] + k * texel_bytes);
                const float weight = even ? 1 : x_.weight(k);
                TS_UNROLL
                for (int n = 0; n < at_once; ++n) TS_UNROLL
                for (int s = 0; s < together * C; ++s)
                    add(sums[n].v[s % C], weight, stored_value<Sample>(loaded[n].words, s));
            }
        });
    }

    // Some of its samples may be none.
    __device__ Pixel<C> addressed_row(int r) const {
        auto sum = Pixel<C>::zero();
        const int row = r < y_.count ? texels_.row(y_.first + r) : -1;
        if (row < 0) return sum;
        for (int k = 0; k < x_.count; ++k) {
            const int column = texels_.column(x_.first + k);
            if (column < 0) continue;
            const auto texel = reinterpret_cast<const Texel<Sample, C>*>(texels_.line(row))[column];
            TS_UNROLL
            for (int c = 0; c < C; ++c) add(sum.v[c], even ? 1 : x_.weight(k), number_of(texel.v[c]));
        }
        return sum;
    }

    // In the units in which they are stored.
    __device__ static float number_of(Sample v) {
        if constexpr (std::is_integral_v<Sample>) return float(v);
        else return sample_to_float(v);
    }

    __device__ void add(float& sum, float weight, float value) const {
        if constexpr (!std::is_integral_v<Sample>)
            if (rule_.levels) value = rintf(value * rule_.unit);
        sum += even ? value : weight * value;
    }

    // sums_of(first, sums): of the rows first, first + lanes, …; those beyond the last one are not used. Rows are added in
    // their order, however many lanes have them.
    template <int at_once, class SumsOf> __device__ Pixel<C> sum_of_rows(SumsOf sums_of) const {
        auto total = Pixel<C>::zero();
        const unsigned pixel_lanes = (lanes_ < 32 ? (1u << lanes_) - 1 : all_lanes) << (lane_index() - lane_);
        for (int first = 0; first < y_.count; first += at_once * lanes_) {
            Pixel<C> sums[at_once];
            sums_of(first + lane_, sums);
            TS_UNROLL
            for (int n = 0; n < at_once; ++n) {
                if (lanes_ == 1) {
                    if (first + n < y_.count) add_row(total, first + n, sums[n]);
                    continue;
                }
                for (int lane = 0; lane < lanes_; ++lane) {
                    const int row = first + n * lanes_ + lane;
                    Pixel<C> of_lane;
                    TS_UNROLL
                    for (int c = 0; c < C; ++c) of_lane.v[c] = __shfl_sync(pixel_lanes, sums[n].v[c], lane, lanes_);
                    if (row < y_.count) add_row(total, row, of_lane);
                }
            }
        }
        return total;
    }
    __device__ void add_row(Pixel<C>& total, int row, const Pixel<C>& sum) const {
        if constexpr (even) total = total + sum;
        else total.add_scaled(y_.weight(row), sum);
    }

    __device__ float finished_sum(float sum) const {
        if (rule_.pass.fixed) {
            const auto weights = (long long)(x_.before) * (long long)(y_.before);
            return finished_whole(rule_.pass, (long long)(sum)*weights) / rule_.unit;
        }
        if constexpr (even) sum = sum * x_.before * y_.before;
        return finished(rule_.pass, sum * rule_.scale) / rule_.unit;
    }

    struct Texels : LinearTexels {
        using LinearTexels::line;
        using LinearTexels::LinearTexels;
        __device__ const TexelArray& array() const { return array_; }
    };
    Texels texels_;
    const BoxRule& rule_;
    const BoxSpan &x_, &y_;
    int lanes_, lane_;
};

// A block computes `row_groups` groups of rows, one after the other: where its boxes are is found out once for all of them.
constexpr int most_row_groups = 4;

template <class Sample, int C, bool even, class Spans>
__global__ void __launch_bounds__(box_threads)
    box_kernel(const __grid_constant__ ResampleJob job, const __grid_constant__ Spans spans,
               const __grid_constant__ BoxRule rule, BoxShape shape, int row_groups) {
    __shared__ BoxSpan x[32], y[most_row_groups * box_rows];
    const int columns = shape.columns(), rows = row_groups * box_rows, i0 = int(blockIdx.x) * columns,
              j0 = int(blockIdx.y) * rows;
    const int thread = int(threadIdx.x);
    if (thread < columns && i0 + thread < job.output.width) x[thread] = spans.column(job, i0 + thread);
    if (const int row = thread - 32; row >= 0 && row < rows && j0 + row < job.output.height)
        y[row] = spans.row(job, j0 + row);
    __syncthreads();
    const int column = lane_index() / shape.lanes, i = i0 + column, end = min(rows, job.output.height - j0);
    if (i >= job.output.width) return;
    const bool writes = lane_index() % shape.lanes == 0;
    TexelArray source = job.source;
    detail::take_image(source);
    const auto write_outside_at = [&](int row) {
        if (!writes) return;
        ResampleJob of_image = job;
        detail::take_image(of_image);
        write_outside<C>(of_image, i, j0 + row);
    };
    if (std::is_same_v<Spans, FilterSpans> && x[column].count < 0) {  // not in the loop, whose lanes vote
        for (int row = warp_index(); row < end; row += box_rows) write_outside_at(row);
        return;
    }
    ResampleOutput output = job.output;
    output.pixels = static_cast<char*>(output.pixels) + blockIdx.z * output.image_bytes;
    for (int row = warp_index(); row < end; row += box_rows) {
        if (std::is_same_v<Spans, FilterSpans> && y[row].count < 0) {
            write_outside_at(row);
            continue;
        }
        const Pixel<C> value = BoxPixel<Sample, C, even>(source, rule, x[column], y[row], shape.lanes).value();
        if (writes) write_pixel(output, i, j0 + row, value);
    }
}

template <bool even, class Spans>
void launch(const ResampleJob& job, const Spans& spans, const BoxRule& rule, const BoxShape& shape,
            const DeviceQueue& queue) {
    const auto over = [](int n, int by) { return unsigned((n + by - 1) / by); };
    const unsigned columns = over(job.output.width, shape.columns()), images = unsigned(job.source.images);
    // Fewer blocks, as long as they still fill all multiprocessors.
    constexpr unsigned blocks_of_multiprocessor = 4;
    const auto blocks_of = [&](int groups) { return columns * over(job.output.height, groups * box_rows) * images; };
    int groups = 1;
    while (groups < most_row_groups &&
           blocks_of(2 * groups) >= unsigned(queue.limits.multiprocessors) * blocks_of_multiprocessor)
        groups *= 2;
    const dim3 blocks(columns, over(job.output.height, groups * box_rows), images);
    detail::for_texel_type(job.source, [&]<class Sample, int C>() {
        launch_kernel(work::box, box_kernel<Sample, C, even, Spans>, blocks, dim3(box_threads), 0, queue.stream, job,
                      spans, rule, shape, groups);
    });
}

}  // namespace

void launch_boxes(const ResampleJob& job, const BoxSpansView& spans, const BoxRule& rule, const BoxShape& shape,
                  const DeviceQueue& queue) {
    if (spans.even) launch<true>(job, StoredSpans{spans}, rule, shape, queue);
    else launch<false>(job, StoredSpans{spans}, rule, shape, queue);
}

void launch_boxes(const TabulatedJob& tabulated, const BoxShape& shape, const DeviceQueue& queue) {
    launch<true>(tabulated.job, FilterSpans{tabulated.x, tabulated.y}, BoxRule({}, tabulated.job.source.type), shape,
                 queue);
}

}  // namespace texelscope
