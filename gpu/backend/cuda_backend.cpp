// The CUDA backend: one device, one stream, everything enqueued in order.

#include "gpu/backend/cuda_backend.h"

#include <fmt/format.h>

#include "gpu/backend/cuda_image.h"
#include "gpu/prefilter/cuda_prefilter.h"

namespace texelscope {
namespace {

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

BackendInfo describe_device(int device) {
    cudaDeviceProp properties{};
    cuda_check(cudaGetDeviceProperties(&properties, device), "cannot read the GPU's properties");
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    BackendInfo info;
    info.kind = BackendKind::cuda;
    info.device = properties.name;
    info.detail = fmt::format("compute capability {}.{}, CUDA {} (driver supports {})", properties.major,
                              properties.minor, version_text(runtime), version_text(driver));
    info.device_index = device;
    info.memory_bytes = properties.totalGlobalMem;
    info.max_texture_width = properties.maxTexture2D[0];
    info.max_texture_height = properties.maxTexture2D[1];
    return info;
}

CudaStream make_stream() {
    cudaStream_t stream = nullptr;
    cuda_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cannot create a CUDA stream");
    return CudaStream(stream);
}

std::optional<double> milliseconds(CudaStopWatch& watch) {
    const double ms = watch.last_ms();
    return ms < 0 ? std::nullopt : std::optional(ms);
}

class CudaBackend final : public Backend {
public:
    explicit CudaBackend(int device) : info_((select(device), describe_device(device))), stream_(make_stream()) {}

    const BackendInfo& info() const override { return info_; }
    CUstream_st* stream() const override { return stream_.get(); }

    std::shared_ptr<const ResidentImage> upload(const Image& image) override {
        select(info_.device_index);
        return std::make_shared<CudaImage>(image, stream_.get());
    }

    std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) override {
        select(info_.device_index);
        const PrefilterKernel kernel = prefilter_kernel(spec.effective_prefilter(), spec.method->poles);
        const auto& source = static_cast<const CudaImage&>(samples);
        auto result = std::make_shared<CudaImage>(source, spec.address);
        const CudaMemory scratch = allocate_device_memory(result->size_bytes());
        prefilter_watch_.start(stream_.get());
        prefilter_on_cuda(source.texels(), spec.address, kernel, result->texels(), result->coefficients(),
                          static_cast<float*>(scratch.get()), stream_.get());
        prefilter_watch_.stop(stream_.get());
        synchronize();  // the scratch is freed here
        return result;
    }

    void render(const ResidentImage& image, const RenderRequest& request, const RenderTarget& target) override {
        select(info_.device_index);
        const auto& source = static_cast<const CudaImage&>(image);
        ResampleJob job = job_for(image, source.texels(), request, target);
        if (!source.holds_coefficients()) job.source.address = request.spec.address;
        job.path = resolved_path(request.spec.path);
        if (job.path != FetchPath::global) source.attach_textures(job.source, info_, stream_.get());
        if (target.timed) render_watch_.start(stream_.get());
        request.spec.method->launch(job, stream_.get());
        if (target.timed) render_watch_.stop(stream_.get());
    }

    void synchronize() override { cuda_check(cudaStreamSynchronize(stream_.get()), "the GPU stopped with an error"); }

    std::shared_ptr<void> allocate(size_t bytes) override {
        select(info_.device_index);
        auto memory = std::make_shared<CudaMemory>(allocate_device_memory(bytes));
        return std::shared_ptr<void>(memory, memory->get());
    }

    void read_back(void* host, const void* memory, size_t bytes) override {
        cuda_check(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, stream_.get()),
                   "cannot copy the picture from the GPU");
        synchronize();
    }

    std::optional<double> last_render_ms() override { return milliseconds(render_watch_); }
    std::optional<double> last_prefilter_ms() override { return milliseconds(prefilter_watch_); }

private:
    static void select(int device) { cuda_check(cudaSetDevice(device), "cannot use the GPU"); }

    BackendInfo info_;
    CudaStream stream_;
    CudaStopWatch render_watch_, prefilter_watch_;
};

}  // namespace

std::shared_ptr<Backend> make_cuda_backend(int device) { return std::make_shared<CudaBackend>(device); }

std::string why_no_cuda_device() {
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "no NVIDIA driver is installed, or none answers";
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
        cudaGetLastError();
        return cudaGetErrorString(error);
    }
    return count == 0 ? "no CUDA device is visible" : "";
}

}  // namespace texelscope
