#include "gpu/interop/ladder.h"
#include "gpu/interop/targets.h"

namespace texelscope {
namespace {

LadderParts parts_of_this_machine() {
    return {
        .devices = machine_devices(),
#if TEXELSCOPE_WITH_CUDA
        .devices_of_gl = cuda_devices_of_gl_context,
        .cuda_backend = [](int device) { return make_backend(BackendChoice::cuda, {.device = device}); },
        .registered_target = make_registered_target, .staged_target = make_staged_target,
#else
        .devices_of_gl = [](std::string&) { return std::vector<int>(); },
        .cuda_backend = {},  // without CUDA there is no device to call these for
            .registered_target = {}, .staged_target = {},
#endif
        .cpu_backend = [] { return make_cpu_backend(); }, .host_target = make_host_target,
    };
}

}  // namespace

Presenter make_presenter(BackendChoice choice, const PresenterOptions& options) {
    Presenter presenter = climb_down(parts_of_this_machine(), choice, options);
    stay_on_device_of(*presenter.backend);
    return presenter;
}

std::future<void> start_device(BackendChoice choice) {
    if (choice == BackendChoice::cpu) return {};
    return std::async(std::launch::async, [] {
        std::string none;
        if (Devices& devices = machine_devices(); devices.count(none) == 1) devices.ask(0);
    });
}

}  // namespace texelscope
