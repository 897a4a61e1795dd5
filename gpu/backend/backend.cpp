#include "gpu/backend/backend.h"

#include <atomic>

#include <fmt/format.h>

#include "gpu/backend/arguments.h"
#include "gpu/backend/device_choice.h"
#include "gpu/backend/job.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/method/kernel_method.h"

#if TEXELSCOPE_WITH_CUDA
#include "gpu/backend/cuda_memory.h"
#endif

namespace texelscope {
namespace {

#if TEXELSCOPE_WITH_CUDA
// Null if no device can be used; `why` as in make_backend.
std::shared_ptr<Backend> first_cuda_backend(CudaOptions options, std::string& why) {
    DeviceWish wish{.only = options.stream && options.device == any_device ? current_device() : options.device};
    for (;;) {
        const DeviceChoice choice = choose_device(machine_devices(), wish);
        why = choice.reason;
        if (!choice.taken) return nullptr;
        options.device = choice.taken->index;
        try {
            return make_cuda_backend(options);
        } catch (const Error& error) {  // a kernel had what it needed, the backend does not
            wish.avoid.push_back({options.device, error.what()});
        }
    }
}
#else
std::shared_ptr<Backend> first_cuda_backend(const CudaOptions&, std::string& why) {
    why = choose_device(machine_devices()).reason;
    return nullptr;
}
#endif

}  // namespace

Metrics Backend::measure(const MeasureJob& job, Metrics* inside) {
    if (!sums_) sums_ = allocate(sizeof(ComparisonSums));
    compare(job, static_cast<ComparisonSums*>(sums_.get()));
    ComparisonSums sums;
    read_back(&sums, sums_.get(), sizeof sums);
    if (inside) *inside = inside_metrics_of(job, sums);
    return metrics_of(job, sums);
}

MapFigures Backend::map_figures(const MapSumJob& job, MapFigures* inside) {
    if (!map_sums_) map_sums_ = allocate(sizeof(BothMapSums));
    sum_map(job, static_cast<BothMapSums*>(map_sums_.get()));
    const auto sums = std::make_unique<BothMapSums>();
    read_back(sums.get(), map_sums_.get(), sizeof(BothMapSums));
    if (inside) *inside = figures_of(sums->inside, job);
    return figures_of(sums->all, job);
}

uint64_t Backend::next_id() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
}

std::shared_ptr<const ResidentImage> Backend::share(const std::shared_ptr<const ResidentImage>&) {
    throw Error(std::string("images of another backend cannot be shared by ") + std::string(name_of(info().kind)));
}

const ChosenKernel& Backend::last_kernel(int timer) const {
    static constexpr ChosenKernel none;
    check_timer(timer);
    return timer == no_timer ? none : kernels_[size_t(timer)];
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
    const DeviceChoice choice = choose_device(machine_devices());
    return choice.taken ? "" : choice.reason;
}

std::shared_ptr<Backend> make_backend(BackendChoice choice, const CudaOptions& options, std::string* reason) {
    std::string why = "the CPU backend was requested";
    std::shared_ptr<Backend> backend;
    if (choice != BackendChoice::cpu) backend = first_cuda_backend(options, why);
    if (!backend && choice == BackendChoice::cuda) throw Unavailable("backend cuda: " + why);
    if (!backend) backend = make_cpu_backend();
    if (reason) *reason = why;
    return backend;
}

std::shared_ptr<Backend> make_backend_like(const BackendInfo& info) {
    if (info.kind == BackendKind::cpu) return make_cpu_backend();
    return make_backend(BackendChoice::cuda, {.device = info.device_index});
}

std::string Backend::why_no_kernel(const MethodSpec& spec) {
    const KernelMethod* const kernel = kernel_of(*spec.method);
    return kernel ? kernel->why_not(info().limits.compute_capability, spec.parameters) : std::string();
}

std::optional<TexelArray> coefficients_in(const TexelArray& samples, const MethodSpec& spec, const RenderTarget& target,
                                          size_t alignment) {
    check_spec(spec);
    TexelArray a = coefficient_array(samples, spec);
    const size_t row = size_t(a.width) * size_t(a.channels) * sizeof(float);
    const bool fits = a.margin_x == 0 && a.margin_y == 0 && a.type == SampleType::f32 &&
                      a.channels == samples.channels && target.format == RenderTarget::Format::floats;
    const bool aligned =
        (row | target.row_bytes | target.image_bytes | reinterpret_cast<uintptr_t>(target.pixels)) % alignment == 0;
    if (!fits || !aligned || target.row_bytes < row) return {};
    a.row_bytes = target.row_bytes;
    a.image_bytes = target.image_bytes;
    return a;
}

}  // namespace texelscope
