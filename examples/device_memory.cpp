// Everything on the GPU: samples, points and values in device memory, enqueued on the program's own stream.

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include <texelscope.h>

using namespace texelscope;

int main() {
    constexpr int n = 1 << 16, count = 1 << 20;
    if (const std::string reason = why_no_cuda(); !reason.empty()) {
        std::printf("no CUDA here: %s\n", reason.c_str());
        return 0;
    }
    try {
        std::vector<float> signal(n), x(count);
        for (int i = 0; i < n; ++i) signal[size_t(i)] = std::sin(0.05f * float(i));
        for (int k = 0; k < count; ++k) x[size_t(k)] = float(k) * (float(n - 1) / float(count));

        cudaStream_t stream;
        float *samples, *points, *values;
        cudaStreamCreate(&stream);
        for (auto [memory, size] : {std::pair{&samples, n}, {&points, count}, {&values, count}})
            cudaMalloc(reinterpret_cast<void**>(memory), size_t(size) * sizeof(float));
        cudaMemcpyAsync(samples, signal.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
        cudaMemcpyAsync(points, x.data(), count * sizeof(float), cudaMemcpyHostToDevice, stream);
        {
            ImageView view{samples, n};
            view.one_dimensional = true;
            SourceImage source(make_backend(BackendChoice::cuda, {.stream = stream}), view);
            SampleRequest request;
            request.spec = parse_spec("bspline:path=lookup");
            source.sample(request, PointsView::arrays(points, nullptr, count), values);
        }
        std::vector<float> result(count);
        cudaMemcpyAsync(result.data(), values, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
        const cudaError_t status = cudaStreamSynchronize(stream);

        double largest = 0;  // away from the ends, where the clamped signal has a corner
        for (int k = count / 16; k < count - count / 16; ++k)
            largest = std::max(largest, std::abs(result[size_t(k)] - std::sin(0.05 * double(x[size_t(k)]))));
        std::printf("%d points of %d samples: %s, largest error %.1e\n", count, n, cudaGetErrorString(status), largest);
        for (float* memory : {samples, points, values}) cudaFree(memory);
        cudaStreamDestroy(stream);
        return status == cudaSuccess && largest < 1e-3 ? 0 : 1;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
