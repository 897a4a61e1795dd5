#include "gpu/backend/backend.h"

#include <fmt/format.h>

#if TEXELSCOPE_WITH_CUDA
#include "gpu/backend/cuda_backend.h"
#endif

namespace texelscope {

FetchPath resolved_path(FetchPath path, const Backend& backend, const ResidentImage& image) {
    if (path != FetchPath::automatic) return path;
    const BackendInfo& info = backend.info();
    if (info.kind == BackendKind::cpu) return FetchPath::global;
    // The texture cache serves rotated views best; an image with margins beyond the limits has no texture.
    const bool fits = image.width() + 64 <= info.max_texture_width && image.height() + 64 <= info.max_texture_height;
    return fits ? FetchPath::lookup : FetchPath::global;
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

std::shared_ptr<Backend> make_backend(BackendChoice choice, [[maybe_unused]] int cuda_device) {
    if (choice == BackendChoice::cpu) return make_cpu_backend();
    const std::string reason = why_no_cuda();
    if (reason.empty()) {
#if TEXELSCOPE_WITH_CUDA
        return make_cuda_backend(cuda_device);
#endif
    }
    if (choice == BackendChoice::cuda) throw Unavailable("backend cuda: " + reason);
    return make_cpu_backend();
}

}  // namespace texelscope
