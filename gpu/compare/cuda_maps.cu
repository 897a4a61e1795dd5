// Maps of errors on the GPU. FLIP: one kernel turns rows into colours and filters them along rows, one filters along columns and
// makes the map; in bands of rows, so that what lies between needs bounded memory.

#include <cuda_runtime.h>

#include <algorithm>

#include "gpu/compare/compared_pixel.h"
#include "gpu/compare/flip.h"
#include "gpu/core/errors.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

__global__ void difference_kernel(ErrorMapJob job, float* map) {
    const auto [x, k] = detail::grid_pixel();
    if (x < job.width && k < map_rows(job)) write_difference(job, x, k, map);
}

__global__ void colour_map_kernel(ErrorMapJob job, float* map) {
    const auto [x, k] = detail::grid_pixel();
    if (x >= job.width || k >= map_rows(job)) return;
    map[size_t(k) * size_t(job.width) + size_t(x)] = float(colour_difference(job, k, x));
}

// A thread has a block of 2×2 pixels.
__global__ void gradient_map_kernel(ErrorMapJob job, float* map) {
    const auto [i, j] = detail::grid_pixel();
    if (2 * i >= job.width || 2 * j >= job.height) return;
    const auto value = float(gradient_difference(job, i, j));
    for (int y = 2 * j; y < min(2 * j + 2, job.height); ++y)
        for (int x = 2 * i; x < min(2 * i + 2, job.width); ++x) map[size_t(y) * size_t(job.width) + size_t(x)] = value;
}

constexpr int row_threads = 256, planes_between = 7;

// Filtered along rows, of both pictures: the colours Y, X − Y and the two of Y − Z; then Y by the features' three filters.
struct BetweenPasses {
    float* plane[2][planes_between];
    int first_row, rows;  // of the pictures, edges repeated beyond them
};

__device__ float along_row(const float* from, const float* taps, int radius) {
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) sum += taps[k + radius] * from[k];
    return sum;
}

// A block has 256 pixels of a row, of one picture.
__global__ void flip_rows_kernel(ErrorMapJob job, FlipFilters filters, FlipLight light, BetweenPasses between) {
    constexpr int most = row_threads + 2 * FlipFilters::most_radius;
    __shared__ float y[most], cx[most], cz[most];
    const int picture = int(blockIdx.z), reach = max(filters.colour_radius, filters.feature_radius);
    const int first = int(blockIdx.x) * row_threads, x = first + int(threadIdx.x);
    for (int line = int(blockIdx.y); line < between.rows; line += int(gridDim.y)) {
        const int row = min(max(between.first_row + line, 0), job.height - 1);
        for (int n = int(threadIdx.x); n < row_threads + 2 * reach; n += row_threads) {
            const size_t at = value_index(job, min(max(first + n - reach, 0), job.width - 1), row);
            Opponents o = flip_background();
            if (compares(job, at)) {
                float rgb[3];
                read_colour(job, picture == 0 ? job.values : job.reference, at, rgb);
                o = opponents_of(rgb, light);
            }
            y[n] = o.y;
            cx[n] = o.cx;
            cz[n] = o.cz;
        }
        __syncthreads();
        if (x < job.width) {
            const int n = int(threadIdx.x) + reach;
            const size_t to = size_t(line) * size_t(job.width) + size_t(x);
            float* const* plane = between.plane[picture];
            plane[0][to] = along_row(y + n, filters.luminance, filters.colour_radius);
            plane[1][to] = along_row(cx + n, filters.red_green, filters.colour_radius);
            plane[2][to] = along_row(cz + n, filters.blue_yellow[0], filters.colour_radius);
            plane[3][to] = along_row(cz + n, filters.blue_yellow[1], filters.colour_radius);
            plane[4][to] = along_row(y + n, filters.gaussian, filters.feature_radius);
            plane[5][to] = along_row(y + n, filters.edge, filters.feature_radius);
            plane[6][to] = along_row(y + n, filters.point, filters.feature_radius);
        }
        __syncthreads();
    }
}

// The map's rows from `first` on; `from`: the first line between the passes that the row `first` reads.
__global__ void flip_columns_kernel(ErrorMapJob job, FlipFilters filters, BetweenPasses between, int first, int rows,
                                    bool joins, float* map) {
    const auto [x, j] = detail::grid_pixel();
    if (x >= job.width || j >= rows) return;
    const int row = first + j, middle = row - between.first_row;
    const size_t at = size_t(row) * size_t(job.width) + size_t(x);
    if (!compares(job, value_index(job, x, row))) {
        map[at] = nanf("");
        return;
    }
    Opponents colour[2];
    FlipFeatures feature[2];
    for (int n = 0; n < 2; ++n) {
        float* const* plane = between.plane[n];
        float sums[4] = {};
        for (int k = -filters.colour_radius; k <= filters.colour_radius; ++k) {
            const size_t from = size_t(middle + k) * size_t(job.width) + size_t(x);
            const int tap = k + filters.colour_radius;
            sums[0] += filters.luminance[tap] * plane[0][from];
            sums[1] += filters.red_green[tap] * plane[1][from];
            sums[2] += filters.blue_yellow[0][tap] * plane[2][from];
            sums[3] += filters.blue_yellow[1][tap] * plane[3][from];
        }
        colour[n] = {sums[0], sums[1], filters.share[0] * sums[2] + filters.share[1] * sums[3]};
        FlipFeatures f{};
        for (int k = -filters.feature_radius; k <= filters.feature_radius; ++k) {
            const size_t from = size_t(middle + k) * size_t(job.width) + size_t(x);
            const int tap = k + filters.feature_radius;
            f.edge_x += filters.gaussian[tap] * plane[5][from];
            f.edge_y += filters.edge[tap] * plane[4][from];
            f.point_x += filters.gaussian[tap] * plane[6][from];
            f.point_y += filters.point[tap] * plane[4][from];
        }
        feature[n] = f;
    }
    const float error =
        flip_of(flip_colour_error(filters, colour[0], colour[1]), flip_feature_error(feature[0], feature[1]));
    map[at] = joins ? fmaxf(map[at], error) : error;
}

// About this many numbers of a plane between the passes, and so many rows of the map at a time.
constexpr size_t numbers_between = size_t(1) << 21;

int band_rows(const ErrorMapJob& job) {
    return int(std::clamp<size_t>(numbers_between / size_t(job.width), 16, size_t(job.height)));
}

int lines_between(const ErrorMapJob& job) {
    const FlipFilters filters = flip_filters(job.pixels_per_degree);
    return band_rows(job) + 2 * std::max(filters.colour_radius, filters.feature_radius);
}

void flip_on_cuda(const ErrorMapJob& job, float* map, void* scratch, CUstream_st* stream) {
    const FlipFilters filters = flip_filters(job.pixels_per_degree);
    const int reach = std::max(filters.colour_radius, filters.feature_radius), band = band_rows(job);
    BetweenPasses between{};
    auto* memory = static_cast<float*>(scratch);
    for (auto& picture : between.plane)
        for (float*& plane : picture) {
            plane = memory;
            memory += size_t(lines_between(job)) * size_t(job.width);
        }
    const unsigned across = unsigned((job.width + row_threads - 1) / row_threads);
    for (int first = 0; first < job.height; first += band) {
        const int rows = std::min(band, job.height - first);
        between.first_row = first - reach;
        between.rows = rows + 2 * reach;
        for (int k = 0; k < std::max(job.exposures.count, 1); ++k) {
            launch_kernel(work::flip, flip_rows_kernel,
                          dim3(across, std::min(unsigned(between.rows), most_blocks_down), 2), row_threads, 0, stream,
                          job, filters, flip_light(job, k), between);
            const detail::PixelGrid grid = detail::pixel_grid(job.width, rows);
            launch_kernel(work::flip, flip_columns_kernel, grid.blocks, grid.block, 0, stream, job, filters, between,
                          first, rows, k > 0, map);
        }
    }
}

}  // namespace

size_t error_map_scratch_bytes(const ErrorMapJob& job) {
    switch (job.kind) {
        case DifferenceKind::ssim: return comparison_scratch_bytes({job});
        case DifferenceKind::flip:
            return size_t(2 * planes_between) * size_t(lines_between(job)) * size_t(job.width) * sizeof(float);
        default: return 0;
    }
}

void error_map_on_cuda(const ErrorMapJob& job, float* map, void* scratch, CUstream_st* stream) {
    switch (job.kind) {
        case DifferenceKind::ssim: return ssim_map_on_cuda({job}, map, scratch, stream);
        case DifferenceKind::flip: return flip_on_cuda(job, map, scratch, stream);
        case DifferenceKind::delta_e: {
            const detail::PixelGrid grid = detail::pixel_grid(job.width, map_rows(job));
            return launch_kernel(work::colours, colour_map_kernel, grid.blocks, grid.block, 0, stream, job, map);
        }
        case DifferenceKind::gradient: {
            const detail::PixelGrid grid = detail::pixel_grid((job.width + 1) / 2, (job.height + 1) / 2);
            return launch_kernel(work::gradients, gradient_map_kernel, grid.blocks, grid.block, 0, stream, job, map);
        }
        default: {
            const detail::PixelGrid grid = detail::pixel_grid(job.width, map_rows(job));
            return launch_kernel(work::errors, difference_kernel, grid.blocks, grid.block, 0, stream, job, map);
        }
    }
}

// Sums of a map of errors on the GPU: every block writes its own sums, one block joins them in a fixed order; bins are counted
// atomically.

namespace {

constexpr int threads = 256, blocks = 1024;

struct Sums {
    MapValues all, inside;

    __device__ void join(const Sums& other) {
        all.join(other.all);
        inside.join(other.inside);
    }
};

// What a kernel takes by value.
struct SummedMap {
    const float* map;
    const int* rows;
    int width, height, row_count;
    bool selects, parts;
    MeasureJob::Selection selection;
    Interior inside;
    double step;
};

// Shared memory cannot have a type with a constructor.
struct alignas(16) Room {
    char bytes[threads * sizeof(Sums)];
};

// The tree is the same whatever the timing. Returns the sums of the block in its first thread.
__device__ Sums joined_in_block(Room& room, const Sums& mine) {
    auto* shared = reinterpret_cast<Sums*>(room.bytes);
    shared[threadIdx.x] = mine;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (int(threadIdx.x) < half) shared[threadIdx.x].join(shared[threadIdx.x + half]);
    }
    return shared[0];
}

__global__ void clear_kernel(BothMapSums* sums) {
    const int first = int(blockIdx.x) * threads + int(threadIdx.x);
    for (int bin = first; bin < map_bins; bin += blocks * threads) sums->all.bins[bin] = sums->inside.bins[bin] = 0;
}

__global__ void sum_kernel(SummedMap m, BothMapSums* sums, Sums* parts) {
    __shared__ Room room;
    Sums mine;
    const long long numbers = (long long)(m.row_count) * m.width;
    for (long long n = (long long)(blockIdx.x) * threads + threadIdx.x; n < numbers; n += (long long)(blocks)*threads) {
        const float value = m.map[n];
        const int k = int(n / m.width), x = int(n % m.width), y = m.rows ? m.rows[k] : k;
        if (value != value || (m.selects && !is_selected(m.selection, x, y))) continue;
        const long long pixel = (long long)(y)*m.width + x;
        const int bin = map_bin(double(value), m.step);
        mine.all.add(value, pixel);
        atomicAdd(&sums->all.bins[bin], 1u);
        if (!m.parts || !m.inside.contains(x, y, {m.width, m.height})) continue;
        mine.inside.add(value, pixel);
        atomicAdd(&sums->inside.bins[bin], 1u);
    }
    const Sums block = joined_in_block(room, mine);
    if (threadIdx.x == 0) parts[blockIdx.x] = block;
}

// One block: thread t adds the parts t, t + 256, …
__global__ void join_kernel(const Sums* parts, BothMapSums* sums) {
    __shared__ Room room;
    Sums mine;
    for (int k = int(threadIdx.x); k < blocks; k += threads) mine.join(parts[k]);
    const Sums both = joined_in_block(room, mine);
    if (threadIdx.x > 0) return;
    static_cast<MapValues&>(sums->all) = both.all;
    static_cast<MapValues&>(sums->inside) = both.inside;
}

}  // namespace

size_t map_sum_scratch_bytes() { return blocks * sizeof(Sums); }

void sum_map_on_cuda(const MapSumJob& job, BothMapSums* sums, void* scratch, CUstream_st* stream) {
    const SummedMap map{job.map,
                        job.rows,
                        job.width,
                        job.height,
                        job.rows ? job.row_count : job.height,
                        job.selection.has_value(),
                        job.inside.has_value(),
                        job.selection.value_or(MeasureJob::Selection{}),
                        job.inside.value_or(Interior{}),
                        job.step};
    auto* parts = static_cast<Sums*>(scratch);
    launch_kernel(work::map_sums, clear_kernel, blocks, threads, 0, stream, sums);
    launch_kernel(work::map_sums, sum_kernel, blocks, threads, 0, stream, map, sums, parts);
    launch_kernel(work::map_sums, join_kernel, 1, threads, 0, stream, parts, sums);
}

}  // namespace texelscope
