#include "gpu/backend/backend.h"

#include <atomic>

#include <fmt/format.h>

#if TEXELSCOPE_WITH_CUDA
#include "gpu/backend/cuda_backend.h"
#endif

namespace texelscope {

Metrics Backend::measure(const MeasureJob& job) {
    if (!sums_) sums_ = allocate(sizeof(ComparisonSums));
    compare(job, static_cast<ComparisonSums*>(sums_.get()));
    ComparisonSums sums;
    read_back(&sums, sums_.get(), sizeof sums);
    return metrics_of(job, sums);
}

uint64_t Backend::next_id() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
}

void Backend::check_own(const ResidentImage& image) const {
    if (image.maker_ != id_) throw Error("the image belongs to another backend: upload it to this one");
}

const MethodInfo& reduction_method() {
    static const MethodInfo& lanczos = parse_method("lanczos3");
    return lanczos;
}

BackendChoice parse_backend(std::string_view text) {
    if (text == "auto") return BackendChoice::automatic;
    if (text == "cuda") return BackendChoice::cuda;
    if (text == "cpu") return BackendChoice::cpu;
    throw UsageError(fmt::format("unknown backend '{}': choose one of auto, cuda, cpu", text));
}

std::string why_no_cuda() {
#if TEXELSCOPE_WITH_CUDA
    return why_no_cuda_device();
#else
    return "this build has no CUDA: configure where nvcc is installed";
#endif
}

std::shared_ptr<Backend> make_backend(BackendChoice choice, [[maybe_unused]] const CudaOptions& cuda) {
    if (choice == BackendChoice::cpu) return make_cpu_backend();
    const std::string reason = why_no_cuda();
    if (reason.empty()) {
#if TEXELSCOPE_WITH_CUDA
        return make_cuda_backend(cuda);
#endif
    }
    if (choice == BackendChoice::cuda) throw Unavailable("backend cuda: " + reason);
    return make_cpu_backend();
}

}  // namespace texelscope
