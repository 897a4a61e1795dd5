// Metrics on the GPU: every block writes its own sums, one block joins them in a fixed order.

#include <cuda_runtime.h>

#include <algorithm>

#include "gpu/compare/compared_pixel.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

constexpr int threads = 256;
constexpr int error_blocks = 1024;

// For SSIM: windows that a block computes, the pixels they cover.
constexpr int tile_x = 32, tile_y = 8, span_x = tile_x + ssim_taps - 1, span_y = tile_y + ssim_taps - 1;

// The tree is the same whatever the timing.
template <class Sums> __device__ void join_in_block(Sums* shared, const Sums& sums) {
    const int t = int(threadIdx.x + blockDim.x * threadIdx.y);
    shared[t] = sums;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) shared[t].join(shared[t + half]);
    }
    __syncthreads();
}

// Shared memory cannot have a type with a constructor.
template <class Sums> struct alignas(16) Room { char bytes[threads * sizeof(Sums)]; };

__global__ void error_kernel(ComparedPlanes planes, unsigned char* mask, BothErrors* sums) {
    __shared__ Room<BothErrors> room;
    const long long pixels = (long long)(planes.width) * planes.height;
    BothErrors mine;
    for (long long k = (long long)(blockIdx.x) * threads + threadIdx.x; k < pixels;
         k += (long long)(gridDim.x) * threads) {
        const Compared compared = compare_pixel(planes, int(k % planes.width), int(k / planes.width), mine);
        mask[k] = compared == Compared::yes;
    }
    auto* shared = reinterpret_cast<BothErrors*>(room.bytes);
    join_in_block(shared, mine);
    if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

struct Tile {
    double a[span_y][span_x], r[span_y][span_x];
    unsigned char compared[span_y][span_x];
};

// The pixels that the windows of a tile cover, of one channel; those not compared are zero.
__device__ void load_tile(Tile& tile, const ComparedPlanes& planes, const unsigned char* mask, int channel, int first_x,
                          int first_y) {
    for (int k = int(threadIdx.x + tile_x * threadIdx.y); k < span_x * span_y; k += threads) {
        const int x = k % span_x, y = k / span_x, i = first_x + x, j = first_y + y;
        const bool compared =
            i < planes.width && j < planes.height && mask[size_t(j) * size_t(planes.width) + size_t(i)];
        const size_t at = compared ? value_index(planes, i, j) + size_t(channel) : 0;
        tile.a[y][x] = compared ? plane_value(planes.values, at) : 0;
        tile.r[y][x] = compared ? plane_value(planes.reference, at) : 0;
        tile.compared[y][x] = compared;
    }
}

// Moments over eleven pixels of a row, for every row of the tile, with how many of them are compared.
struct FilteredRows {
    double v[moments][span_y][tile_x];
    unsigned char compared[span_y][tile_x];
};

__device__ void filter_tile(FilteredRows& rows, const Tile& tile, const SsimWindow& window) {
    const int x = int(threadIdx.x);
    for (int y = int(threadIdx.y); y < span_y; y += tile_y) {
        Moments m{};
        unsigned char compared = 0;
        TS_UNROLL
        for (int k = 0; k < ssim_taps; ++k) {
            const Moments pixel = Moments::of(tile.a[y][x + k], tile.r[y][x + k]);
            TS_UNROLL
            for (int n = 0; n < moments; ++n) m.v[n] += window.weight[k] * pixel.v[n];
            compared += tile.compared[y][x + k];
        }
        TS_UNROLL
        for (int n = 0; n < moments; ++n) rows.v[n][y][x] = m.v[n];
        rows.compared[y][x] = compared;
    }
}

// For the window that the thread has in the filtered rows.
__device__ BothSsim ssim_of_window(const FilteredRows& rows, const SsimWindow& window, double peak, bool inside) {
    const int x = int(threadIdx.x), y = int(threadIdx.y);
    Moments m{};
    int compared = 0;
    TS_UNROLL
    for (int k = 0; k < ssim_taps; ++k) {
        TS_UNROLL
        for (int n = 0; n < moments; ++n) m.v[n] += window.weight[k] * rows.v[n][y + k][x];
        compared += rows.compared[y + k][x];
    }
    if (compared < ssim_taps * ssim_taps) return {};
    const SsimSums sums{ssim_of(m, peak), 1};
    return {sums, inside ? sums : SsimSums{}};
}

// One window per thread, one channel per block, which strides over the tiles below the grid's limit.
__global__ void ssim_kernel(ComparedPlanes planes, SsimWindow window, double peak, const unsigned char* mask,
                            int tiles_down, BothSsim* sums) {
    __shared__ Tile tile;
    __shared__ FilteredRows rows;
    static_assert(sizeof(Tile) >= threads * sizeof(BothSsim));
    auto* shared = reinterpret_cast<BothSsim*>(&tile);
    for (int down = int(blockIdx.y); down < tiles_down; down += int(gridDim.y)) {
        load_tile(tile, planes, mask, int(blockIdx.z), int(blockIdx.x) * tile_x, down * tile_y);
        __syncthreads();
        filter_tile(rows, tile, window);
        __syncthreads();
        const int first_x = int(blockIdx.x) * tile_x + int(threadIdx.x), first_y = down * tile_y + int(threadIdx.y);
        join_in_block(shared, ssim_of_window(rows, window, peak, window_inside(planes, first_x, first_y)));
        if (threadIdx.x == 0 && threadIdx.y == 0)
            sums[(size_t(blockIdx.z) * size_t(tiles_down) + size_t(down)) * gridDim.x + blockIdx.x] = shared[0];
        __syncthreads();  // the sums make room for the next tile
    }
}

// One centre of a window per thread, all channels; pixels whose window does not fit are NaN.
__global__ void ssim_map_kernel(ComparedPlanes planes, SsimWindow window, double peak, const unsigned char* mask,
                                int tiles_down, float* map) {
    __shared__ Tile tile;
    __shared__ FilteredRows rows;
    for (int down = int(blockIdx.y); down < tiles_down; down += int(gridDim.y)) {
        const int first_x = int(blockIdx.x) * tile_x + int(threadIdx.x), first_y = down * tile_y + int(threadIdx.y);
        double sum = 0;
        bool fits = true;
        for (int c = 0; c < planes.channels; ++c) {
            load_tile(tile, planes, mask, c, int(blockIdx.x) * tile_x, down * tile_y);
            __syncthreads();
            filter_tile(rows, tile, window);
            __syncthreads();
            const BothSsim one = ssim_of_window(rows, window, peak, false);
            sum += one.all.ssim;
            fits = fits && one.all.windows > 0;
            __syncthreads();
        }
        const int x = first_x + ssim_taps / 2, y = first_y + ssim_taps / 2;
        if (fits && x < planes.width && y < planes.height)
            map[size_t(y) * size_t(planes.width) + size_t(x)] = float(1 - sum / planes.channels);
    }
}

__global__ void no_numbers_kernel(float* map, long long count) {
    for (long long k = (long long)(blockIdx.x) * threads + threadIdx.x; k < count;
         k += (long long)(gridDim.x) * threads)
        map[k] = nanf("");
}

// One block: thread t adds the parts t, t + 256, …
__global__ void join_kernel(const BothErrors* errors, int error_parts, const BothSsim* ssim, long long ssim_parts,
                            ComparisonSums* all) {
    __shared__ Room<BothErrors> error_room;
    __shared__ Room<BothSsim> ssim_room;
    BothErrors my_errors;
    for (int k = int(threadIdx.x); k < error_parts; k += threads) my_errors.join(errors[k]);
    BothSsim my_ssim;
    for (long long k = threadIdx.x; k < ssim_parts; k += threads) my_ssim.join(ssim[k]);
    auto* shared_errors = reinterpret_cast<BothErrors*>(error_room.bytes);
    auto* shared_ssim = reinterpret_cast<BothSsim*>(ssim_room.bytes);
    join_in_block(shared_errors, my_errors);
    join_in_block(shared_ssim, my_ssim);
    if (threadIdx.x == 0) *all = {shared_errors[0], shared_ssim[0]};
}

// How the scratch memory is divided.
struct Parts {
    BothErrors* errors;
    BothSsim* ssim;
    unsigned char* mask;
};

// Tiles across and down, and channels.
dim3 ssim_tiles(const MeasureJob& job) {
    if (!job.with_ssim || job.width < ssim_taps || job.height < ssim_taps) return dim3(0, 0, 0);
    const auto tiles = [](int n, int tile) { return unsigned((n - ssim_taps + tile) / tile); };
    return dim3(tiles(job.width, tile_x), tiles(job.height, tile_y), unsigned(job.channels));
}

size_t ssim_parts(const MeasureJob& job) {
    const dim3 tiles = ssim_tiles(job);
    return size_t(tiles.x) * tiles.y * tiles.z;
}

Parts divided(void* scratch, const MeasureJob& job) {
    Parts s;
    s.errors = static_cast<BothErrors*>(scratch);
    s.ssim = reinterpret_cast<BothSsim*>(s.errors + error_blocks);
    s.mask = reinterpret_cast<unsigned char*>(s.ssim + ssim_parts(job));
    return s;
}

}  // namespace

size_t comparison_scratch_bytes(const MeasureJob& job) {
    return error_blocks * sizeof(BothErrors) + ssim_parts(job) * sizeof(BothSsim) +
           size_t(job.width) * size_t(job.height);
}

void compare_on_cuda(const MeasureJob& job, ComparisonSums* sums, void* scratch, CUstream_st* stream) {
    const Parts parts = divided(scratch, job);
    const ComparedPlanes planes = planes_of(job);
    launch_kernel(work::errors, error_kernel, error_blocks, threads, 0, stream, planes, parts.mask, parts.errors);
    const dim3 tiles = ssim_tiles(job), grid(tiles.x, std::min(tiles.y, most_blocks_down), tiles.z);
    if (tiles.x > 0)
        launch_kernel(work::ssim, ssim_kernel, grid, dim3(tile_x, tile_y), 0, stream, planes, ssim_window(), job.peak,
                      parts.mask, int(tiles.y), parts.ssim);
    launch_kernel(work::comparison_sums, join_kernel, 1, threads, 0, stream, parts.errors, error_blocks, parts.ssim,
                  (long long)(ssim_parts(job)), sums);
}

void ssim_map_on_cuda(const MeasureJob& job, float* map, void* scratch, CUstream_st* stream) {
    const Parts parts = divided(scratch, job);
    const ComparedPlanes planes = planes_of(job);
    launch_kernel(work::ssim, no_numbers_kernel, error_blocks, threads, 0, stream, map,
                  (long long)(job.width) * job.height);
    const dim3 tiles = ssim_tiles(job);
    if (tiles.x == 0) return;
    launch_kernel(work::errors, error_kernel, error_blocks, threads, 0, stream, planes, parts.mask, parts.errors);
    launch_kernel(work::ssim, ssim_map_kernel, dim3(tiles.x, std::min(tiles.y, most_blocks_down)), dim3(tile_x, tile_y),
                  0, stream, planes, ssim_window(), job.peak, parts.mask, int(tiles.y), map);
}

}  // namespace texelscope
