// The cost of exact positions: 3840×2160 pixels, one texture fetch each, rotated by 10°, with positions in 64-bit fixed
// point as in the fast kernels, in double as in the simple kernel, and in float32, which is too coarse. Prints
// microseconds: the median of fifteen batches that take turns.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gpu/method/output.h"
#include "gpu/method/position.h"
#include "gpu/method/tap_source.h"

namespace {

using namespace texelscope;

constexpr int width = 3840, height = 2160, side = 4096, pixels = 8, outputs = 4;
enum class Positions { fixed, doubles, floats };

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "positions: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

__device__ float2 texture_position(SplitCoordinate x, SplitCoordinate y) {
    return {texture_coordinate(x.whole, floored(x).part + 0.5f, 0, side, false),
            texture_coordinate(y.whole, floored(y).part + 0.5f, 0, side, false)};
}

template <Positions kind> __global__ void fetch(cudaTextureObject_t texture, Affine a, FixedAffine f, uint32_t* out) {
    const int i = int(blockIdx.x * 32 + threadIdx.x), first = int(blockIdx.y * 8 * pixels + threadIdx.y);
    long long x = f.x0 + i * f.xx + first * f.xy, y = f.y0 + i * f.yx + first * f.yy;
    TS_UNROLL
    for (int k = 0; k < pixels; ++k) {
        const int j = first + 8 * k;
        if (j >= height) return;
        float2 p;
        if constexpr (kind == Positions::fixed) {
            p = texture_position(split(f, x), split(f, y));
            x += 8 * f.xy;
            y += 8 * f.yy;
        } else if constexpr (kind == Positions::doubles) {
            const Floored x = floored(affine_position(a.xx, a.xy, a.x0, i, j)),
                          y = floored(affine_position(a.yy, a.yx, a.y0, j, i));
            p = {float(x.whole) + (x.part + 0.5f), float(y.whole) + (y.part + 0.5f)};
        } else {
            p = {float(a.xx) * float(i) + float(a.xy) * float(j) + float(a.x0 + 0.5),
                 float(a.yx) * float(i) + float(a.yy) * float(j) + float(a.y0 + 0.5)};
        }
        const float4 v = tex2D<float4>(texture, p.x, p.y);
        out[size_t(j) * width + i] = packed(to_8_bits(v.x), to_8_bits(v.y), to_8_bits(v.z));
    }
}

cudaTextureObject_t make_texture() {
    std::vector<uint32_t> texels(size_t(side) * side);
    uint32_t state = 1;
    for (uint32_t& t : texels) t = state = state * 1664525u + 1013904223u;
    const auto format = cudaCreateChannelDesc<uchar4>();
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    check(cudaMallocArray(&resource.res.array.array, &format, side, side));
    check(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels.data(), side * 4, side * 4, side,
                              cudaMemcpyHostToDevice));
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModeLinear;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

}  // namespace

int main() {
    const cudaTextureObject_t texture = make_texture();
    uint32_t* out[outputs];
    for (uint32_t*& memory : out) check(cudaMalloc(&memory, size_t(width) * height * 4));
    ResampleJob job;
    job.output.width = width;
    job.output.height = height;
    job.source.width = job.source.height = side;
    job.positions = sampling_affine({0.3, 0.2, 1, 10}, side, side, width, height);
    const FixedAffine fixed = *fixed_affine(job);
    const dim3 blocks(width / 32, (height + 8 * pixels - 1) / (8 * pixels)), block(32, 8);
    const auto launch = [&](Positions kind, int turn) {
        uint32_t* to = out[turn % outputs];
        if (kind == Positions::fixed) fetch<Positions::fixed><<<blocks, block>>>(texture, job.positions, fixed, to);
        else if (kind == Positions::doubles)
            fetch<Positions::doubles><<<blocks, block>>>(texture, job.positions, fixed, to);
        else fetch<Positions::floats><<<blocks, block>>>(texture, job.positions, fixed, to);
    };
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    std::vector<float> times[3];
    constexpr int repeats = 40;
    for (int batch = 0; batch < 16; ++batch)
        for (const Positions kind : {Positions::fixed, Positions::doubles, Positions::floats}) {
            check(cudaEventRecord(start));
            for (int k = 0; k < repeats; ++k) launch(kind, k);
            check(cudaEventRecord(stop));
            check(cudaEventSynchronize(stop));
            float ms = 0;
            check(cudaEventElapsedTime(&ms, start, stop));
            if (batch > 0) times[int(kind)].push_back(ms * 1000 / repeats);  // the first round warms up
        }
    const char* names[] = {"64-bit fixed point", "double", "float32"};
    for (int kind = 0; kind < 3; ++kind) {
        std::sort(times[kind].begin(), times[kind].end());
        std::printf("%-20s %6.2f µs\n", names[kind], times[kind][times[kind].size() / 2]);
    }
}
