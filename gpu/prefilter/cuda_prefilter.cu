#include "gpu/prefilter/prefilter.h"

#include <cmath>

#include <cuda_runtime.h>

#include "gpu/method/cuda_grid.h"
#include "gpu/method/resample_pixel.h"

namespace texelscope {
namespace {

// The number of neighbouring coefficients that a thread computes from the same samples.
constexpr int run = 8;

// Rows of a warp whose loads are under way together.
constexpr int rows_at_once = 2;

// A block's coefficients. K: taps on each side; if a filter has fewer, the others are zero.
template <int K_, int height_> struct Tile {
    static constexpr int K = K_, width = 64, height = height_, threads = width * height / run,
                         runs_of_row = width / run;
};

template <int K> struct ConvolveJob {
    TexelArray samples, out;
    AddressPair extension;
    void* coefficients;
    float tap_x[K + 1], tap_y[K + 1];
};

// Shared memory; one channel at a time. Odd pitches: threads below each other then read different banks.
template <class Tile> struct ConvolveRoom {
    static constexpr int width = Tile::width + 2 * Tile::K, height = Tile::height + 2 * Tile::K;
    static constexpr int pitch = width | 1, filtered_pitch = Tile::width | 1;
    float samples[height * pitch];
    float filtered[height * filtered_pitch];  // along rows
    int columns[width], rows[height];         // stored ones; −1: zero
};

// `run` neighbouring values of the convolution of v[0], v[step], …, whose taps reach over run + 2K of them. The small taps
// after the large one have their own sum: it halves the rounding error, which the quintic and the septic spline cannot spare.
template <int K> __device__ void convolve(const float (&tap)[K + 1], const float* v, int step, float (&sum)[run]) {
    float after[run];
    TS_UNROLL
    for (int i = 0; i < run; ++i) sum[i] = after[i] = 0;
    TS_UNROLL
    for (int j = 0; j < run + 2 * K; ++j) {
        const float value = v[j * step];
        TS_UNROLL
        for (int i = 0; i < run; ++i) {
            const int distance = j - i - K;
            if (distance >= -K && distance <= 0) sum[i] += tap[-distance] * value;
            if (distance > 0 && distance <= K) after[i] += tap[distance] * value;
        }
    }
    TS_UNROLL
    for (int i = 0; i < run; ++i) sum[i] += after[i];
}

// Loads the samples that the tile reads, of one channel, one row per warp. True if one of this thread's is not
// filterable. No branch separates the loads of a few rows: it would make each wait for the one before.
template <class Sample, int C, class Tile>
__device__ bool load_samples(const TexelArray& a, int channel, ConvolveRoom<Tile>& room, int rows) {
    using Room = ConvolveRoom<Tile>;
    constexpr int warps = Tile::threads / 32, columns = (Room::width + 31) / 32;  // per lane
    const int lane = lane_index();
    int number[columns];  // of the sample in its row; negative: zero
    TS_UNROLL
    for (int i = 0; i < columns; ++i) number[i] = room.columns[min(lane + 32 * i, Room::width - 1)] * C + channel;
    bool found = false;
    for (int y = warp_index(); y < rows; y += rows_at_once * warps) {
        float v[rows_at_once][columns];
        const Sample* lines[rows_at_once];
        TS_UNROLL
        for (int r = 0; r < rows_at_once; ++r) {
            const int row = room.rows[min(y + r * warps, rows - 1)];
            lines[r] =
                reinterpret_cast<const Sample*>(static_cast<const char*>(a.texels) + size_t(max(row, 0)) * a.row_bytes);
            TS_UNROLL
            for (int i = 0; i < columns; ++i) {
                v[r][i] = sample_to_float(lines[r][max(number[i], 0)]);
                if (row < 0 || number[i] < 0) v[r][i] = 0;
            }
        }
        TS_UNROLL
        for (int r = 0; r < rows_at_once; ++r) {
            if (y + r * warps >= rows) break;
            TS_UNROLL
            for (int i = 0; i < columns; ++i) {
                if (!std::is_integral_v<Sample> && !is_filterable(v[r][i])) {  // see prefilter.h
                    const auto sample = [&](int n) { return sample_to_float(lines[r][n]); };
                    v[r][i] = finite_stand_in(v[r][i], sample(max(number[i] - C, channel)),
                                              sample(min(number[i] + C, (a.width - 1) * C + channel)));
                    found = true;
                }
                if (lane + 32 * i < Room::width) room.samples[(y + r * warps) * Room::pitch + lane + 32 * i] = v[r][i];
            }
        }
    }
    return found;
}

// One tile after another, samples in shared memory: first along its rows and those its columns reach, then down.
template <class Sample, int C, class Tile, bool batch>
__global__ void __launch_bounds__(Tile::threads) convolve_kernel(ConvolveJob<Tile::K> job) {
    using Room = ConvolveRoom<Tile>;
    if constexpr (batch) take_image(job);
    constexpr int K = Tile::K;
    extern __shared__ char memory[];
    Room& room = *reinterpret_cast<Room*>(memory);
    const int width = job.out.width + 2 * job.out.margin_x, height = job.out.height + 2 * job.out.margin_y;
    const int reach_y = job.samples.one_dimensional ? 0 : K;
    const int left = int(blockIdx.x) * Tile::width, column = int(threadIdx.x) % Tile::width;
    const int first = int(threadIdx.x) / Tile::width * run;  // of the thread's rows in the tile
    for (int top = int(blockIdx.y) * Tile::height; top < height; top += int(gridDim.y) * Tile::height) {
        const int rows = min(Tile::height, height - top) + 2 * reach_y;
        for (int k = int(threadIdx.x); k < Room::width; k += Tile::threads)
            room.columns[k] = addressed(job.extension.x, left + k - K - job.out.margin_x, job.samples.width);
        for (int k = int(threadIdx.x); k < rows; k += Tile::threads)
            room.rows[k] = addressed(job.extension.y, top + k - reach_y - job.out.margin_y, job.samples.height);
        __syncthreads();

        Pixel<C> result[run];
        bool found = false;
        TS_UNROLL
        for (int c = 0; c < C; ++c) {
            found |= __syncthreads_or(load_samples<Sample, C>(job.samples, c, room, rows)) != 0;
            for (int k = int(threadIdx.x); k < rows * Tile::runs_of_row; k += Tile::threads) {
                const int from = k / rows, row = k - from * rows;
                float sum[run];
                convolve<K>(job.tap_x, room.samples + row * Room::pitch + from * run, 1, sum);
                TS_UNROLL
                for (int i = 0; i < run; ++i) room.filtered[row * Room::filtered_pitch + from * run + i] = sum[i];
            }
            __syncthreads();
            float sum[run] = {};
            const float* filtered = room.filtered + first * Room::filtered_pitch + column;
            if (reach_y > 0) convolve<K>(job.tap_y, filtered, Room::filtered_pitch, sum);
            else if (first == 0) sum[0] = *filtered;
            TS_UNROLL
            for (int i = 0; i < run; ++i) result[i].v[c] = sum[i];
        }
        const int stored = room.columns[column + K];
        char* at = texel_at<C>(job.out, job.coefficients, left + column, top + first);
        TS_UNROLL
        for (int i = 0; i < run; ++i, at += job.out.row_bytes) {
            if (left + column >= width || top + first + i >= height) break;
            const int row = room.rows[first + i + reach_y];
            if (found && stored >= 0 && row >= 0)
                restore_non_finite(LinearSource<Sample, C>(job.samples).load(stored, row), result[i]);
            store_texel(job.out, at, result[i]);
        }
        __syncthreads();
    }
}

// b(0) … b(K) as floats; of a recursion as many as there is room for. What rounding takes from a tap is added to the
// next, which counts twice: else the gain of slow waves would be off by as much as all other rounding together.
template <int K> void set_taps(const PrefilterKernel& kernel, float (&taps)[K + 1]) {
    double carry = 0;
    for (int k = 0; k <= K; ++k) {
        double tap = carry;
        if (kernel.recursive)
            for (size_t p = 0; p < size_t(kernel.poles); ++p) tap += kernel.gain[p] * std::pow(kernel.pole[p], k);
        else if (k <= kernel.half_taps) tap += kernel.taps[size_t(k)];
        taps[k] = float(tap);
        carry = (tap - double(taps[k])) / (k == 0 ? 2 : 1);
    }
}

template <class Tile>
void enqueue(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
             const TexelArray& out, void* out_texels, cudaStream_t stream) {
    using Room = ConvolveRoom<Tile>;
    static_assert(sizeof(Room) == shared_bytes({Tile::K, Tile::height}));
    ConvolveJob<Tile::K> job{};
    set_taps<Tile::K>(filter.x, job.tap_x);
    set_taps<Tile::K>(filter.y, job.tap_y);
    job.samples = samples;
    job.out = out;
    job.extension = extension;
    job.coefficients = out_texels;
    const int width = out.width + 2 * out.margin_x, height = out.height + 2 * out.margin_y;
    const unsigned columns = unsigned((width + Tile::width - 1) / Tile::width),
                   rows = std::min(unsigned((height + Tile::height - 1) / Tile::height), most_blocks_down);
    detail::for_texel_type(samples, [&]<class Sample, int C>() {
        constexpr bool together = filters_batches<Sample>;
        const auto function =
            samples.images > 1 ? convolve_kernel<Sample, C, Tile, together> : convolve_kernel<Sample, C, Tile, false>;
        allow_shared_memory(work::convolution, function, sizeof(Room));
        for_images<together>(job, [&](const auto& of, unsigned images) {
            launch_kernel(work::convolution, function, dim3(columns, rows, images), Tile::threads, sizeof(Room), stream,
                          of);
        });
    });
}

}  // namespace

void convolve_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                      const TexelArray& out, void* out_texels, const DeviceQueue& queue) {
    const auto reach = [](const PrefilterKernel& kernel) {
        return kernel.recursive ? kernel.horizon_float : kernel.half_taps;
    };
    const ConvolutionTile tile = choose_tile(std::max(reach(filter.x), reach(filter.y)), queue.limits);
    const auto launch = tile.reach == 3     ? enqueue<Tile<3, 64>>
                        : tile.reach == 7   ? enqueue<Tile<7, 64>>
                        : tile.reach == 15  ? enqueue<Tile<15, 64>>
                        : tile.reach == 24  ? tile.height == 64 ? enqueue<Tile<24, 64>> : enqueue<Tile<24, 32>>
                         : tile.height == 64 ? enqueue<Tile<longest_convolution, 64>>
                                            : enqueue<Tile<longest_convolution, 16>>;
    launch(samples, extension, filter, out, out_texels, queue.stream);
}

void prefilter_on_cuda(const TexelArray& samples, const AddressPair& extension, const PrefilterKernels& filter,
                       const TexelArray& out, void* out_texels, const DeviceQueue& queue) {
    const auto code =
        choose_prefilter(samples, filter) == PrefilterCode::fused ? filter_fused_on_cuda : convolve_on_cuda;
    code(samples, extension, filter, out, out_texels, queue);
}

}  // namespace texelscope
