#include "gpu/interop/targets.h"

namespace texelscope {
namespace {

Presenter cpu_presenter(std::string reason) { return {make_cpu_backend(), make_host_target(), std::move(reason)}; }

#if TEXELSCOPE_WITH_CUDA
// The two upper rungs. Throws Error where CUDA itself fails.
Presenter cuda_presenter(bool allow_interop) {
    std::string reason = "interop was switched off";
    const int gl_device = allow_interop ? cuda_device_of_gl_context(reason) : -1;
    std::shared_ptr<Backend> backend = make_backend(BackendChoice::cuda, {.device = gl_device < 0 ? 0 : gl_device});
    if (gl_device >= 0) {
        try {
            return {backend, make_registered_target(backend), ""};
        } catch (const Error& error) {
            reason = error.what();
        }
    }
    return {backend, make_staged_target(backend), reason};
}
#endif

}  // namespace

Presenter make_presenter(BackendChoice choice, [[maybe_unused]] bool allow_interop) {
    if (choice == BackendChoice::cpu) return cpu_presenter("the CPU backend was asked for");
    std::string reason = why_no_cuda();
    if (choice == BackendChoice::cuda && !reason.empty()) throw Unavailable("backend cuda: " + reason);
#if TEXELSCOPE_WITH_CUDA
    if (reason.empty()) {
        try {
            return cuda_presenter(allow_interop);
        } catch (const Error& error) {
            if (choice == BackendChoice::cuda) throw;
            reason = error.what();
        }
    }
#endif
    return cpu_presenter(reason);
}

}  // namespace texelscope
