// The CUDA backend: one device, one stream, everything enqueued in order.

#include "gpu/backend/cuda_backend.h"

#include <map>

#include <fmt/format.h>

#include "gpu/backend/cuda_image.h"
#include "gpu/backend/cuda_warp.h"
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
    info.max_texture_1d = properties.maxTexture1D;
    cudaDeviceGetAttribute(&info.max_texture_1d_linear, cudaDevAttrMaxTexture1DLinearWidth, device);
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
    CudaBackend(int device, CUstream_st* stream)
        : info_((select(device), describe_device(device))), own_stream_(stream ? CudaStream() : make_stream()),
          stream_(stream ? stream : own_stream_.get()) {}

    const BackendInfo& info() const override { return info_; }
    CUstream_st* stream() const override { return stream_; }

    std::shared_ptr<const ResidentImage> upload(const Image& image) override {
        select(info_.device_index);
        return std::make_shared<CudaImage>(image, stream_);
    }

    std::shared_ptr<const ResidentImage> adopt(const ImageView& image) override {
        select(info_.device_index);
        texels_of(image);  // what cannot be read in place is refused, host memory as well
        if (is_device_memory(image.samples, info_.device_index)) return std::make_shared<CudaImage>(image);
        return std::make_shared<CudaImage>(copied(image), stream_);
    }

    std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) override {
        select(info_.device_index);
        const PrefilterKernel kernel = prefilter_kernel(spec.effective_prefilter(), spec.method->poles);
        const auto& source = static_cast<const CudaImage&>(samples);
        auto result = std::make_shared<CudaImage>(
            source, coefficient_array(source.texels(), spec.address, spec.method->poles), true);
        const CudaMemory scratch = allocate_device_memory(result->size_bytes());
        prefilter_watch_.start(stream_);
        prefilter_on_cuda(source.texels(), spec.address, kernel, result->texels(), result->computed(),
                          static_cast<float*>(scratch.get()), stream_);
        prefilter_watch_.stop(stream_);
        synchronize();  // the scratch is freed here
        return result;
    }

    std::shared_ptr<const ResidentImage> reduce(const ResidentImage& samples, const AddressPair& address,
                                                Reduction axes) override {
        select(info_.device_index);
        const auto& source = static_cast<const CudaImage&>(samples);
        auto result = std::make_shared<CudaImage>(source, reduced_array(source.texels(), axes), false);
        WidenedJob widened = reduction_job(source.texels(), address, result->texels(), result->computed());
        set_tables(widened, default_spec(reduction_method()));
        launch_widened(widened, stream_);
        return result;
    }

    void resample(const ResidentImage& image, const Resampling& request, const RenderTarget& target) override {
        select(info_.device_index);
        const auto& source = static_cast<const CudaImage&>(image);
        ResampleJob job = job_for(image, source.texels(), request, target);
        if (!source.holds_coefficients()) job.source.address = request.spec.address;
        if (!request.plain()) {
            WidenedJob widened = widened_job(job, request);
            set_tables(widened, request.spec);
            timed(target, [&] { launch_widened(widened, stream_); });
            return;
        }
        if (job.path != FetchPath::global) source.attach_textures(job.source, job.path, info_, stream_);
        timed(target, [&] { request.spec.method->launch(job, stream_); });
    }

    void write_warped_points(const WarpedGrid& grid, double* points) override {
        select(info_.device_index);
        launch_warped_points(grid, points, stream_);
    }

    void synchronize() override { cuda_check(cudaStreamSynchronize(stream_), "the GPU stopped with an error"); }

    std::shared_ptr<void> allocate(size_t bytes) override {
        select(info_.device_index);
        auto memory = std::make_shared<CudaMemory>(allocate_device_memory(bytes));
        return std::shared_ptr<void>(memory, memory->get());
    }

    void write(void* memory, const void* host, size_t bytes) override {
        cuda_check(cudaMemcpyAsync(memory, host, bytes, cudaMemcpyHostToDevice, stream_), "cannot copy to the GPU");
        synchronize();
    }

    void read_back(void* host, const void* memory, size_t bytes) override {
        cuda_check(cudaMemcpyAsync(host, memory, bytes, cudaMemcpyDeviceToHost, stream_),
                   "cannot copy the picture from the GPU");
        synchronize();
    }

    std::optional<double> last_render_ms() override { return milliseconds(render_watch_); }
    std::optional<double> last_prefilter_ms() override { return milliseconds(prefilter_watch_); }

private:
    static void select(int device) { cuda_check(cudaSetDevice(device), "cannot use the GPU"); }

    template <class Work> void timed(const RenderTarget& target, Work work) {
        if (target.timed) render_watch_.start(stream_);
        work();
        if (target.timed) render_watch_.stop(stream_);
    }

    void set_tables(WidenedJob& widened, const MethodSpec& spec) {
        if (tables_.size() >= 64) tables_.clear();  // each value of a parameter has its own
        widened.x.radius = widened.y.radius = float(spec.method->taps) / 2;
        widened.x.table = table(spec, widened.x.derivative);
        widened.y.table = table(spec, widened.y.derivative);
    }

    const float* table(const MethodSpec& spec, bool derivative) {
        CudaMemory& memory = tables_[table_key(spec, derivative)];
        if (!memory) {
            const std::vector<float> values = weight_table(*spec.method, spec.parameters, derivative);
            CudaMemory made = allocate_device_memory(values.size() * sizeof(float));
            write(made.get(), values.data(), values.size() * sizeof(float));
            memory = std::move(made);
        }
        return static_cast<const float*>(memory.get());
    }

    BackendInfo info_;
    CudaStream own_stream_;
    CUstream_st* stream_;
    std::map<std::string, CudaMemory> tables_;
    CudaStopWatch render_watch_, prefilter_watch_;
};

}  // namespace

std::shared_ptr<Backend> make_cuda_backend(int device, CUstream_st* stream) {
    return std::make_shared<CudaBackend>(device, stream);
}

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
