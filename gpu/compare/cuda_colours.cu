// ΔE2000 on the GPU: every block writes its own sums, one block joins them in a fixed order; bins are counted atomically.

#include <cuda_runtime.h>

#include "gpu/compare/compared_pixel.h"
#include "gpu/method/cuda_grid.h"

namespace texelscope {
namespace {

constexpr int threads = 256, blocks = 1024;

struct Sums {
    double all = 0, inside = 0;
    long long all_pixels = 0, inside_pixels = 0;

    __device__ void join(const Sums& other) {
        all += other.all;
        inside += other.inside;
        all_pixels += other.all_pixels;
        inside_pixels += other.inside_pixels;
    }
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

__global__ void clear_kernel(BothColours* sums) {
    const int first = int(blockIdx.x) * threads + int(threadIdx.x);
    for (int bin = first; bin < colour_bins; bin += blocks * threads) sums->all.bins[bin] = sums->inside.bins[bin] = 0;
}

__global__ void difference_kernel(ComparedColours planes, BothColours* sums, Sums* parts) {
    __shared__ Room room;
    Sums mine;
    const long long pixels = (long long)(planes.row_count) * planes.width;
    for (long long n = (long long)(blockIdx.x) * threads + threadIdx.x; n < pixels; n += (long long)(blocks)*threads) {
        const int k = int(n / planes.width), x = int(n % planes.width);
        const auto difference = double(float(colour_difference(planes, k, x)));
        if (difference != difference) continue;
        mine.all += difference;
        ++mine.all_pixels;
        atomicAdd(&sums->all.bins[colour_bin(difference)], 1u);
        if (!planes.parts || !planes.inside.contains(x, planes.rows[k], {planes.width, planes.height})) continue;
        mine.inside += difference;
        ++mine.inside_pixels;
        atomicAdd(&sums->inside.bins[colour_bin(difference)], 1u);
    }
    const Sums block = joined_in_block(room, mine);
    if (threadIdx.x == 0) parts[blockIdx.x] = block;
}

// One block: thread t adds the parts t, t + 256, …
__global__ void join_kernel(const Sums* parts, BothColours* sums) {
    __shared__ Room room;
    Sums mine;
    for (int k = int(threadIdx.x); k < blocks; k += threads) mine.join(parts[k]);
    const Sums all = joined_in_block(room, mine);
    if (threadIdx.x > 0) return;
    sums->all.sum = all.all;
    sums->all.pixels = all.all_pixels;
    sums->inside.sum = all.inside;
    sums->inside.pixels = all.inside_pixels;
}

}  // namespace

size_t colour_scratch_bytes() { return blocks * sizeof(Sums); }

void compare_colours_on_cuda(const ColourJob& job, BothColours* sums, void* scratch, CUstream_st* stream) {
    auto* parts = static_cast<Sums*>(scratch);
    launch_kernel(work::colours, clear_kernel, blocks, threads, 0, stream, sums);
    launch_kernel(work::colours, difference_kernel, blocks, threads, 0, stream, planes_of(job), sums, parts);
    launch_kernel(work::colours, join_kernel, 1, threads, 0, stream, parts, sums);
}

}  // namespace texelscope
