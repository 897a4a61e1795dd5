#include "app/cli/on_backend.h"

#include <cstdio>

#include <fmt/format.h>

#include "gpu/backend/device_choice.h"

namespace texelscope {
namespace {

// A machine without a GPU is nothing to talk about; one whose GPU is not used is.
std::shared_ptr<Backend> made_and_told(BackendChoice choice, std::string* why) {
    auto backend = make_backend(choice, {}, why);
    stay_on_device_of(*backend);
    std::string none;
    if (choice == BackendChoice::automatic && !why->empty() && machine_devices().count(none) > 0)
        fmt::print(stderr, "texelscope: computing on {}: {}\n",
                   backend->info().kind == BackendKind::cpu ? "the CPU" : backend->info().device, *why);
    return backend;
}

}  // namespace

std::shared_ptr<Backend> backend_for(BackendChoice choice) {
    std::string reason;
    return made_and_told(choice, &reason);
}

void on_backend(BackendChoice choice, const std::function<void(const std::shared_ptr<Backend>&)>& work,
                const MakeBackend& make) {
    std::string reason;
    std::shared_ptr<Backend> backend = make ? make(choice, &reason) : made_and_told(choice, &reason);
    std::string problem;
    try {
        return work(backend);
    } catch (const Error& error) {
        const bool device = dynamic_cast<const OutOfMemory*>(&error) || dynamic_cast<const DeviceLost*>(&error);
        if (!device || choice != BackendChoice::automatic || backend->info().kind == BackendKind::cpu) throw;
        problem = error.what();
    }
    fmt::print(stderr, "texelscope: computing on the CPU: {}\n", problem);
    backend.reset();
    work(make_cpu_backend());
}

}  // namespace texelscope
