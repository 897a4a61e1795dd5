// The CPU backend: the methods' own code over host memory, threads over rows.

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>

#include <fmt/format.h>

#include "gpu/backend/job.h"
#include "gpu/core/stop_watch.h"
#include "gpu/prefilter/cpu_prefilter.h"

namespace texelscope {
namespace {

class CpuImage final : public ResidentImage {
public:
    explicit CpuImage(const Image& image)
        : ResidentImage(image.width(), image.height(), image.channels(),
                        image.alpha() == Alpha::none ? Alpha::none : Alpha::premultiplied),
          samples_(resident_form(image)) {
        texels.texels = samples_.data();
        texels.row_bytes = samples_.row_bytes();
        texels.type = samples_.type();
        texels.channels = samples_.channels();
        texels.width = image.width();
        texels.height = image.height();
    }

    CpuImage(const CpuImage& samples, const AddressPair& address)
        : ResidentImage(samples.width(), samples.height(), samples.channels(), samples.alpha()),
          texels(coefficient_array(width_, height_, channels_, address)) {
        const size_t rows = size_t(height_) + 2 * size_t(texels.margin_y);
        try {
            coefficients.resize(rows * texels.row_bytes / sizeof(float));
        } catch (const std::bad_alloc&) {
            throw OutOfMemory(fmt::format("no memory for the coefficients of an image of {}×{} pixels", width_, height_));
        }
        texels.texels = coefficients.data();
    }

    TexelArray texels;
    std::vector<float> coefficients;  // empty for samples

private:
    Image samples_;
};

std::string processor_name() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            if (const size_t colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "processor";
}

class CpuBackend final : public Backend {
public:
    CpuBackend() {
        info_.kind = BackendKind::cpu;
        info_.device = processor_name();
        info_.detail = fmt::format("{} threads", omp_get_max_threads());
    }

    const BackendInfo& info() const override { return info_; }

    std::shared_ptr<const ResidentImage> upload(const Image& image) override { return std::make_shared<CpuImage>(image); }

    std::shared_ptr<const ResidentImage> prefilter(const ResidentImage& samples, const MethodSpec& spec) override {
        const StopWatch watch;
        const PrefilterKernel kernel = prefilter_kernel(spec.effective_prefilter(), spec.method->poles);
        const auto& source = static_cast<const CpuImage&>(samples);
        auto result = std::make_shared<CpuImage>(source, spec.address);
        prefilter_on_cpu(source.texels, spec.address, kernel, result->texels, result->coefficients.data());
        prefilter_ms_ = watch.ms();
        return result;
    }

    void render(const ResidentImage& image, const RenderRequest& request, const RenderTarget& target) override {
        const StopWatch watch;
        const auto& source = static_cast<const CpuImage&>(image);
        ResampleJob job = job_for(image, source.texels, request, target);
        if (source.coefficients.empty()) job.source.address = request.spec.address;
        job.path = resolved_path(request.spec.path);
        // The emulated texture unit takes the coordinates that a real one would need for these address modes.
        job.source.normalised = is_periodic(job.source.address.x) || is_periodic(job.source.address.y);
        const int rows = request.height;
        // Enough rows at a time that neighbouring output rows share filtered ones, enough pieces that all threads work.
        const int piece = std::clamp(rows / (4 * omp_get_max_threads()), 1, 64);
        const int pieces = (rows + piece - 1) / piece;
        std::exception_ptr failure;  // an exception must not leave a parallel region
#pragma omp parallel for schedule(dynamic) if (rows > 1)
        for (int i = 0; i < pieces; ++i) {
            try {
                request.spec.method->resample_rows(job, i * piece, std::min((i + 1) * piece, rows));
            } catch (const std::bad_alloc&) {
#pragma omp critical
                failure = std::make_exception_ptr(OutOfMemory("no memory for the rows of the picture"));
            }
        }
        if (failure) std::rethrow_exception(failure);
        if (target.timed) render_ms_ = watch.ms();
    }

    void synchronize() override {}

    std::shared_ptr<void> allocate(size_t bytes) override {
        try {
            return std::shared_ptr<std::byte[]>(new std::byte[bytes]);
        } catch (const std::bad_alloc&) {
            throw OutOfMemory(fmt::format("no memory for an output of {} MiB", bytes >> 20));
        }
    }

    void read_back(void* host, const void* memory, size_t bytes) override { std::memcpy(host, memory, bytes); }

    std::optional<double> last_render_ms() override { return render_ms_; }
    std::optional<double> last_prefilter_ms() override { return prefilter_ms_; }

private:
    BackendInfo info_;
    std::optional<double> render_ms_, prefilter_ms_;
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend() { return std::make_shared<CpuBackend>(); }

}  // namespace texelscope
