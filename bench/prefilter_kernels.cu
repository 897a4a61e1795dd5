// Only the prefilter's kernels, in a row of launches over pictures in turn, against a copy that moves as many bytes:
// the crossover of recursion and convolution, and their cost. Prints microseconds: medians of seven batches.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "gpu/backend/cuda_memory.h"
#include "gpu/prefilter/prefilter.h"

namespace {

using namespace texelscope;

constexpr size_t bytes_in_turn = 256 << 20;  // beyond any L2

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "prefilter_kernels: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

struct Memory {
    explicit Memory(size_t bytes) {
        check(cudaMalloc(&at, bytes));
        check(cudaMemset(at, 0, bytes));
    }
    ~Memory() { cudaFree(at); }
    Memory(const Memory&) = delete;
    void* at = nullptr;
};

__global__ void nothing() {}

double microseconds(int repeats, const std::function<void(int)>& launch) {
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    std::vector<double> times;
    for (int batch = 0; batch < 9; ++batch) {
        check(cudaEventRecord(start));
        for (int k = 0; k < repeats; ++k) launch(k);
        check(cudaEventRecord(stop));
        check(cudaEventSynchronize(stop));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start, stop));
        if (batch > 1) times.push_back(1000.0 * ms / repeats);  // the first ones warm up
    }
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

TexelArray array_of(SampleType type, int channels, int side, int margin) {
    TexelArray a;
    a.type = type;
    a.channels = channels;
    a.width = a.height = side;
    a.margin_x = a.margin_y = margin;
    a.row_bytes = (size_t(side) + 2 * size_t(margin)) * size_t(channels) * size_t(bytes_per_sample(type));
    return a;
}

size_t bytes_of(const TexelArray& a) { return a.row_bytes * (size_t(a.height) + 2 * size_t(a.margin_y)); }

void measure(const char* name, TexelArray samples, const TexelArray& coefficients) {
    const size_t in = bytes_of(samples), out = bytes_of(coefficients);
    const size_t pairs = std::max<size_t>(1, bytes_in_turn / (in + out));
    const int repeats = int(std::clamp<size_t>((size_t(1) << 31) / (in + out), 6, 100));
    const Memory all_in(pairs * in), all_out(pairs * out);
    const auto from = [&](int k) { return static_cast<char*>(all_in.at) + size_t(k) % pairs * in; };
    const auto to = [&](int k) { return static_cast<char*>(all_out.at) + size_t(k) % pairs * out; };

    const size_t half = (in + out) / 2, copies = std::max<size_t>(1, bytes_in_turn / half);
    const Memory copy_from(copies * half), copy_to(copies * half);
    const double copy = microseconds(repeats, [&](int k) {
        const size_t at = size_t(k) % copies * half;
        check(cudaMemcpyAsync(static_cast<char*>(copy_to.at) + at, static_cast<char*>(copy_from.at) + at, half,
                              cudaMemcpyDeviceToDevice));
    });

    const double cubic[] = {-0.26794919243112270}, quintic[] = {-0.43057534709997379, -0.043096288203264653};
    static const DeviceLimits limits = limits_of_device(0);
    const auto time = [&](auto filter, const Prefilter& prefilter, std::span<const double> poles) {
        const PrefilterKernel kernel = prefilter_kernel(prefilter, poles);
        return microseconds(repeats, [&](int k) {
            samples.texels = from(k);
            filter(samples, AddressPair{}, kernel, coefficients, to(k), DeviceQueue{limits, nullptr});
        });
    };
    const Prefilter iir{Prefilter::Kind::iir};
    const auto fir = [&](int taps) { return time(convolve_on_cuda, Prefilter{Prefilter::Kind::fir, taps}, cubic); };
    std::printf(
        "%5d² %-14s copy %7.1f | iir: recursion %7.1f, convolution %7.1f | fir7 %7.1f, fir15 %7.1f, fir31 %7.1f | "
        "quintic %7.1f\n",
        samples.width, name, copy, time(filter_fused_on_cuda, iir, cubic), time(convolve_on_cuda, iir, cubic), fir(7),
        fir(15), fir(31), time(convolve_on_cuda, iir, quintic));
}

}  // namespace

int main() {
    std::printf("an empty kernel in a row of launches: %.1f µs\n", microseconds(200, [](int) { nothing<<<1, 1>>>(); }));
    for (const int side : {128, 256, 512, 1024, 2048, 4096, 8192, 16384}) {
        measure("f32x1", array_of(SampleType::f32, 1, side, 0), array_of(SampleType::f32, 1, side, 16));
        measure("f32x1 to half", array_of(SampleType::f32, 1, side, 0), array_of(SampleType::f16, 1, side, 16));
        if (side <= 8192) measure("u8x4", array_of(SampleType::u8, 4, side, 0), array_of(SampleType::f32, 4, side, 16));
    }
    check(cudaDeviceSynchronize());
}
