// Prefilter and interpolation by the cubic B-spline in one kernel, for a picture whose coefficients are not kept.
//
// A block copies the samples that its pixels read, of one channel, and `filtering_reach` more on each side, into shared memory,
// filters them there along rows, then down columns, and interpolates. A thread filters a run of a row or a column in registers:
// causal, then anticausal, each begun `reach` samples before, as nothing farther matters to float32.

#include "gpu/prefilter/prefilter.h"

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/kernel_choice.h"
#include "gpu/method/position.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

constexpr WorkName filtering_work{"prefilter and interpolation"};

constexpr float pole = -0.26794919243112270f;  // √3 − 2
constexpr int reach = filtering_reach, vector_floats = 4;

// The recursions give Σ z^|k| / (1 − z²) along each axis, coefficients are √3 Σ z^|k|, and weights are six times the
// B-spline's: what remains is (√3 (1 − z²) / 6)² = z².
constexpr float scale = pole * pole;

// Sums beyond this may come of samples that cannot be filtered: a tile with such is computed again, carefully.
constexpr float largest_plain = 1e30f;

// What a block computes: in shared memory, as registers are for the filter.
struct Place {
    int channel;
    int i, j;         // its first pixel
    int column, row;  // of the first coefficient that its pixels read
    int shift;        // columns that are filtered before it
    bool clips;       // some pixels may be background
};

template <bool rotated, bool single_> struct Block {
    static constexpr bool single = single_;  // channel
    static constexpr int run = filtering_run(rotated), pitch = filtering_pitch(rotated);
    const ResampleJob& job;
    const FixedAffine& f;
    const FilteringShape& shape;
    const Place& place;
    float* tile;  // samples, then these filtered along rows, then coefficients
};

// filtered[i] = Σ z^|k| sample(reach + i − k) / (1 − z²). The recursions begin as if the first sample, or sum, repeated.
// `noted`: the causal sums after every fourth sample, without their signs; none falls to a hundredth before it is there.
template <int run, class Samples> __device__ void filter_run(Samples sample, float (&filtered)[run], float& noted) {
    constexpr float repeated = 1 / (1 - pole);
    float sums[run + reach];
    float sum = repeated * sample(0);
    TS_UNROLL
    for (int i = 1; i < run + 2 * reach; ++i) {
        sum = pole * sum + sample(i);
        if (i % 4 == 3) noted += fabsf(sum);
        if (i >= reach) sums[i - reach] = sum;
    }
    sum *= repeated;
    TS_UNROLL
    for (int i = run + reach - 2; i >= 0; --i) {
        sum = pole * sum + sums[i];
        if (i < run) filtered[i] = sum;
    }
}

// Rows of samples become rows of sums, in their place. Threads side by side filter rows below each other. False if some samples
// may be none that can be filtered.
template <class Of> __device__ bool filter_rows(const Of& block) {
    constexpr int run = Of::run, pitch = Of::pitch;
    const int count = block.shape.filtered_columns, rows = block.shape.sample_rows();
    const int runs = (count + run - 1) / run, together = filtering_threads / runs;  // rows
    const int number = int(threadIdx.x) / together, first = min(number * run, count - run);
    float noted = 0;
    for (int row = int(threadIdx.x) % together, top = 0; top < rows; top += together, row += together) {
        float* const line = block.tile + row * pitch + first;
        const bool filters = number < runs && row < rows;
        float filtered[run];
        if (filters) {
            float samples[run + 2 * reach];
            TS_UNROLL
            for (int k = 0; k < run + 2 * reach; k += vector_floats)
                *reinterpret_cast<float4*>(samples + k) = *reinterpret_cast<const float4*>(line + k);
            filter_run<run>([&](int i) { return samples[i]; }, filtered, noted);
        }
        __syncthreads();
        if (filters) {
            TS_UNROLL
            for (int k = 0; k < run; k += vector_floats)
                if (first + k >= number * run)  // the others are the run's before
                    *reinterpret_cast<float4*>(line + k) = *reinterpret_cast<const float4*>(filtered + k);
        }
    }
    return __syncthreads_and(noted <= largest_plain) != 0;
}

// Columns of the sums become coefficients, from the first one on that pixels read.
template <class Of> __device__ void filter_columns(const Of& block) {
    constexpr int run = Of::run, pitch = Of::pitch, to_pitch = filtering_coefficient_pitch;
    const int columns = block.shape.columns, rows = block.shape.rows;
    const int number = int(threadIdx.x) / columns, column = int(threadIdx.x) % columns;
    const int first = min(number * run, rows - run);
    const bool filters = number * run < rows;
    float filtered[run], noted = 0;
    if (filters) {
        const float* const from = block.tile + first * pitch + block.place.shift + column;
        filter_run<run>([&](int i) { return from[i * pitch]; }, filtered, noted);
    }
    __syncthreads();
    if (filters) {
        float* const to = block.tile + first * to_pitch + column;
        TS_UNROLL
        for (int k = 0; k < run; ++k)
            if (first + k >= number * run) to[k * to_pitch] = filtered[k];
    }
    __syncthreads();
}

// Of the channel's sample in a row of texels; negative: zero.
template <class Of> __device__ int sample_number(const Of& block, int column) {
    const TexelArray& a = block.job.source;
    const int stored = addressed(a.address.x, column, a.width);
    return stored < 0 ? -1 : stored * a.channels + block.place.channel;
}

template <class Sample, class Of> __device__ const Sample* sample_row(const Of& block, int stored) {
    const TexelArray& a = block.job.source;
    return reinterpret_cast<const Sample*>(static_cast<const char*>(a.texels) + size_t(max(stored, 0)) * a.row_bytes);
}

// Copies the samples, one row per warp, for all threads.
template <class Sample, class Of> __device__ void load_samples(const Of& block) {
    constexpr int warps = filtering_threads / 32, most_columns = (Of::pitch + 31) / 32;  // per lane
    const TexelArray& a = block.job.source;
    const int lane = lane_index(), columns = block.shape.sample_columns(), rows = block.shape.sample_rows();
    const int left = block.place.column - block.place.shift - reach, top = block.place.row - reach;
    if constexpr (std::is_same_v<Sample, float>)
        if (block.shape.vectors && left >= 0 && left + columns <= a.width && top >= 0 && top + rows <= a.height) {
            const int column = vector_floats * lane;
            for (int row = warp_index(); row < rows && column < columns; row += warps)
                __pipeline_memcpy_async(block.tile + row * Of::pitch + column,
                                        sample_row<float>(block, top + row) + left + column, sizeof(float4));
            __pipeline_commit();
            __pipeline_wait_prior(0);
            return __syncthreads();
        }
    int number[most_columns];
    TS_UNROLL
    for (int k = 0; k < most_columns; ++k) number[k] = sample_number(block, left + lane + 32 * k);
    TS_UNROLL_BY(1)
    for (int row = warp_index(); row < rows; row += warps) {
        const int stored = addressed(a.address.y, top + row, a.height);
        const Sample* const line = sample_row<Sample>(block, stored);
        float v[most_columns];
        TS_UNROLL
        for (int k = 0; k < most_columns; ++k) {
            v[k] = sample_to_float(line[max(number[k], 0)]);
            if (stored < 0 || number[k] < 0) v[k] = 0;
        }
        TS_UNROLL
        for (int k = 0; k < most_columns; ++k)
            if (lane + 32 * k < columns) block.tile[row * Of::pitch + lane + 32 * k] = v[k];
    }
    __syncthreads();
}

// For samples that cannot be filtered: the filter sees a neighbour instead (see prefilter.h), and each is its own coefficient.
// Calls visit(value in the tile, row of texels, number in it) for samples from this column and row on.
template <class Sample, class Of, class Visit>
__device__ void for_samples(const Of& block, int left, int top, int columns, int rows, int pitch, Visit visit) {
    for (int k = int(threadIdx.x); k < rows * columns; k += filtering_threads) {
        const int r = k / columns, c = k - r * columns, number = sample_number(block, left + c),
                  row = addressed(block.job.source.address.y, top + r, block.job.source.height);
        if (number >= 0 && row >= 0) visit(block.tile[r * pitch + c], sample_row<Sample>(block, row), number);
    }
    __syncthreads();
}

template <class Sample, class Of> __device__ void replace_samples(const Of& block) {
    const Place& place = block.place;
    const int step = block.job.source.channels, last = place.channel + (block.job.source.width - 1) * step;
    const auto replace = [&](float& v, const Sample* line, int number) {
        if (!is_filterable(v))
            v = finite_stand_in(v, sample_to_float(line[max(number - step, place.channel)]),
                                sample_to_float(line[min(number + step, last)]));
    };
    for_samples<Sample>(block, place.column - place.shift - reach, place.row - reach, block.shape.sample_columns(),
                        block.shape.sample_rows(), Of::pitch, replace);
}

template <class Sample, class Of> __device__ void restore_samples(const Of& block) {
    const auto restore = [](float& v, const Sample* line, int number) {
        const float sample = sample_to_float(line[number]);
        if (!is_filterable(sample)) v = sample / (36 * scale);
    };
    for_samples<Sample>(block, block.place.column, block.place.row, block.shape.columns, block.shape.rows,
                        filtering_coefficient_pitch, restore);
}

template <class Of, class Visit> __device__ void for_sample_type_of(const Of& block, Visit visit) {
    switch (block.job.source.type) {
        case SampleType::u8: return visit.template operator()<uint8_t>();
        case SampleType::u16: return visit.template operator()<uint16_t>();
        case SampleType::f16: return visit.template operator()<HalfBits>();
        default: return visit.template operator()<float>();
    }
}

// Six times the cubic B-spline's weights at a fraction in units of 2⁻³², of which 23 bits count.
__device__ void six_weights(unsigned fraction, float (&w)[4]) {
    const float one_more = __uint_as_float(__funnelshift_r(fraction, 0x7f, 9));  // 1 + t
    const float t = one_more - 1, u = 2 - one_more, t2 = t * t, u2 = u * u;
    w[0] = u2 * u;
    w[1] = t2 * (3 * t - 6) + 4;
    w[2] = u2 * (3 * u - 6) + 4;
    w[3] = t2 * t;
}

// `careful`: taps of weight zero are not read (a NaN there is outside the support), and a sixth is added up: nothing overflows.
template <bool careful> __device__ float weighted(const float (&w)[4], const float* v) {
    float sum = 0;
    TS_UNROLL
    for (int k = 0; k < 4; ++k)
        if (!careful || w[k] != 0) sum += (careful ? w[k] / 6 : w[k]) * v[k];
    return sum;
}

template <OutputKind kind, class Of> __device__ auto writer_at(const Of& block, int i, int j) {
    if constexpr (Of::single) return PixelWriter<1, kind>(block.job.output, i, j);
    else
        return ChannelWriter<kind>(block.job.output, i, j, block.place.channel,
                                   block.place.channel + 1 == block.shape.channels);
}

// Views without rotation: a thread marches down a column and keeps the sums along the last four rows of coefficients.

struct alignas(16) PixelRow {
    float w[4];
    int first;     // row of coefficients in the tile
    bool outside;  // only background
};

template <class Of> __device__ void fill_pixel_rows(const Of& block, PixelRow (&rows)[filtering_columns]) {
    if (int(threadIdx.x) < block.shape.pixel_rows) {
        const SplitCoordinate y = split(block.f, block.f.y0 + (block.place.j + int(threadIdx.x)) * block.f.yy);
        PixelRow& row = rows[threadIdx.x];
        float w[4];
        six_weights(y.part, w);
        TS_UNROLL
        for (int k = 0; k < 4; ++k) row.w[k] = scale * w[k];
        row.first = y.whole - 1 - block.place.row;
        row.outside = block.place.clips && is_outside_axis(y, block.job.source.height);
    }
}

template <OutputKind kind, bool careful, class Of>
__device__ void march(const Of& block, const PixelRow (&rows)[filtering_columns]) {
    constexpr int parts = filtering_threads / filtering_columns, pitch = filtering_coefficient_pitch;
    const ResampleOutput& out = block.job.output;
    const int each = block.shape.pixel_rows / parts, top = int(threadIdx.x) / filtering_columns * each;
    const int i = block.place.i + int(threadIdx.x) % filtering_columns,
              count = min(each, out.height - block.place.j - top);
    if (i >= out.width || count <= 0) return;
    const SplitCoordinate x = split(block.f, block.f.x0 + i * block.f.xx);
    float wx[4], sums[4] = {};
    six_weights(x.part, wx);
    const bool outside = block.place.clips && is_outside_axis(x, block.job.source.width);
    const float* const from = block.tile + (x.whole - 1 - block.place.column);
    const int step = block.f.yy < 0 ? -1 : 1, start = step < 0 ? top + count - 1 : top;  // down the coefficients
    auto writer = writer_at<kind>(block, i, block.place.j + start);
    int first = -4;  // row of the first sum
    for (int k = 0; k < count; ++k, writer.move_down(step)) {
        const PixelRow& row = rows[start + k * step];
        if (row.first - first >= 4) first = row.first - 4;
        for (; first < row.first; ++first) {
            TS_UNROLL
            for (int s = 0; s < 3; ++s) sums[s] = sums[s + 1];
            sums[3] = weighted<careful>(wx, from + (first + 4) * pitch);
        }
        const float value = (careful ? 36 : 1) * weighted<careful>(row.w, sums);
        if (outside || row.outside) writer.write_background();
        else writer.write({value});
    }
}

// Rotated views: each pixel from its sixteen coefficients.

// A coordinate counted from a coefficient of the tile, in units of 2⁻³²: rounded up, never before the first one.
struct TilePosition {
    long long at, step;
    static constexpr int bits = FixedAffine::bits - 32;
    __device__ TilePosition(long long position, long long step_down, int first)
        : at((position - ((long long)first << FixedAffine::bits)) >> bits), step(-(-step_down >> bits)) {}
    __device__ int whole() const { return int(at >> 32); }
    __device__ unsigned fraction() const { return unsigned(at); }
};

template <OutputKind kind, bool careful, class Of> __device__ void interpolate(const Of& block) {
    constexpr int down = filtering_threads / filtering_columns, pitch = filtering_coefficient_pitch;
    const FixedAffine& f = block.f;
    const ResampleOutput& out = block.job.output;
    const int i = block.place.i + int(threadIdx.x) % filtering_columns, top = int(threadIdx.x) / filtering_columns;
    if (i >= out.width) return;
    long long x = f.x0 + i * f.xx + (block.place.j + top) * f.xy, y = f.y0 + i * f.yx + (block.place.j + top) * f.yy;
    TilePosition column(x, down * f.xy, block.place.column + 1), row(y, down * f.yy, block.place.row + 1);
    auto writer = writer_at<kind>(block, i, block.place.j + top);
    const bool clips = block.place.clips;
    for (int k = min(block.shape.pixel_rows, out.height - block.place.j) - top; k > 0; k -= down) {
        float wx[4], wy[4], sums[4];
        six_weights(column.fraction(), wx);
        six_weights(row.fraction(), wy);
        const float* const line = block.tile + row.whole() * pitch + column.whole();
        TS_UNROLL
        for (int r = 0; r < 4; ++r) sums[r] = weighted<careful>(wx, line + r * pitch);
        const float value = (careful ? 36 : 1) * scale * weighted<careful>(wy, sums);
        if (clips && (is_outside_axis(split(f, x), block.job.source.width) ||
                      is_outside_axis(split(f, y), block.job.source.height)))
            writer.write_background();
        else writer.write({value});
        writer.move_down(down);
        column.at += column.step;
        row.at += row.step;
        if (clips) {
            x += down * f.xy;
            y += down * f.yy;
        }
    }
}

__device__ Place place_of(const ResampleJob& job, const FixedAffine& f, const FilteringShape& shape) {
    Place place;
    place.channel = int(blockIdx.x) % shape.channels;
    place.i = int(blockIdx.x) / shape.channels * filtering_columns;
    place.j = int(blockIdx.y) * shape.pixel_rows;
    const auto least = [&](long long along, long long across) {
        return (along < 0 ? along : 0) * (filtering_columns - 1) + (across < 0 ? across : 0) * (shape.pixel_rows - 1);
    };
    const long long x = f.x0 + place.i * f.xx + place.j * f.xy, y = f.y0 + place.i * f.yx + place.j * f.yy;
    place.column = int((x + least(f.xx, f.xy)) >> FixedAffine::bits) - 1;
    place.row = int((y + least(f.yx, f.yy)) >> FixedAffine::bits) - 1;
    place.shift = shape.vectors ? (place.column - reach) & (vector_floats - 1) : 0;
    place.clips = f.clips && (place.column < 0 || place.row < 0 || place.column + shape.columns > job.source.width ||
                              place.row + shape.rows > job.source.height);
    return place;
}

template <OutputKind kind, bool rotated, bool single>
__global__ void __launch_bounds__(filtering_threads, 4)
    filtering_kernel(const __grid_constant__ ResampleJob job, const __grid_constant__ FixedAffine f,
                     const __grid_constant__ FilteringShape shape) {
    extern __shared__ float4 shared[];
    __shared__ Place place;
    __shared__ PixelRow rows[filtering_columns];
    const Block<rotated, single> block{job, f, shape, place, reinterpret_cast<float*>(shared)};
    if (threadIdx.x == 0) place = place_of(job, f, shape);
    __syncthreads();
    if constexpr (!rotated) fill_pixel_rows(block, rows);
    for_sample_type_of(block, [&]<class Sample>() { load_samples<Sample>(block); });
    const bool plain = filter_rows(block);
    if (!plain) {
        for_sample_type_of(block, [&]<class Sample>() {
            load_samples<Sample>(block);
            replace_samples<Sample>(block);
        });
        filter_rows(block);
    }
    filter_columns(block);
    if (!plain) for_sample_type_of(block, [&]<class Sample>() { restore_samples<Sample>(block); });
    if constexpr (rotated) plain ? interpolate<kind, false>(block) : interpolate<kind, true>(block);
    else plain ? march<kind, false>(block, rows) : march<kind, true>(block, rows);
}

template <OutputKind kind, bool single>
void launch(const ResampleJob& job, const KernelChoice& choice, const DeviceQueue& queue) {
    const FilteringShape& shape = choice.filtering;
    const auto kernel = shape.rotated ? filtering_kernel<kind, true, single> : filtering_kernel<kind, false, single>;
    const dim3 blocks(unsigned((job.output.width + filtering_columns - 1) / filtering_columns * shape.channels),
                      unsigned((job.output.height + shape.pixel_rows - 1) / shape.pixel_rows));
    // One size for every launch, so that host threads do not lower each other's limit.
    allow_shared_memory(filtering_work, kernel, std::min(largest_filtering_bytes, queue.limits.shared_bytes_per_block));
    launch_kernel(filtering_work, kernel, blocks, filtering_threads, shape.bytes(), queue.stream, job, *choice.fixed,
                  shape);
}

}  // namespace

void launch_filtering(const ResampleJob& job, const KernelChoice& choice, const DeviceQueue& queue) {
    const bool screen = job.output.rgba8;
    if (job.source.channels > 1)
        (screen ? launch<OutputKind::screen, false> : launch<OutputKind::values, false>)(job, choice, queue);
    else if (job.output.encode_srgb) launch<OutputKind::linear_light, true>(job, choice, queue);
    else (screen ? launch<OutputKind::screen, true> : launch<OutputKind::values, true>)(job, choice, queue);
    if (choice.needs_nan_outside()) launch_nan_outside(job, *choice.fixed, queue);
}

}  // namespace texelscope
