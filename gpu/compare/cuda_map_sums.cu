// Sums of a map of errors on the GPU: every block writes its own sums, one block joins them in a fixed order; bins are counted
// atomically.

#include <cuda_runtime.h>

#include "gpu/compare/map_pixel.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

constexpr int threads = 256, blocks = 1024;

struct PartSums {
    double sum = 0, squares = 0;
    long long pixels = 0, worst = -1;
    float largest = -1;

    __device__ void add(float value, long long pixel) {
        sum += double(value);
        squares += double(value) * double(value);
        ++pixels;
        if (value > largest) largest = value, worst = pixel;
    }
    __device__ void join(const PartSums& other) {
        sum += other.sum;
        squares += other.squares;
        pixels += other.pixels;
        if (other.largest > largest || (other.largest == largest && other.worst >= 0 && other.worst < worst))
            largest = other.largest, worst = other.worst;
    }
};

struct Sums {
    PartSums all, inside;

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

__device__ void write_sums(MapSums& to, const PartSums& from) {
    to.sum = from.sum;
    to.squares = from.squares;
    to.pixels = from.pixels;
    to.largest = from.largest;
    to.worst = from.worst;
}

// One block: thread t adds the parts t, t + 256, …
__global__ void join_kernel(const Sums* parts, BothMapSums* sums) {
    __shared__ Room room;
    Sums mine;
    for (int k = int(threadIdx.x); k < blocks; k += threads) mine.join(parts[k]);
    const Sums both = joined_in_block(room, mine);
    if (threadIdx.x > 0) return;
    write_sums(sums->all, both.all);
    write_sums(sums->inside, both.inside);
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
