#pragma once
// The ladder over what a machine has: make_presenter() uses this machine's parts, tests make up their own.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/interop/present_target.h"

namespace texelscope {

using MakeTarget = std::function<std::unique_ptr<PresentTarget>(std::shared_ptr<Backend>)>;

struct LadderParts {
    Devices& devices;
    std::function<std::vector<int>(std::string& why_none)> devices_of_gl;  // CUDA devices that drive the GL context
    std::function<std::shared_ptr<Backend>(int device)> cuda_backend;      // may throw Error, like all that follow
    MakeTarget registered_target, staged_target;
    std::function<std::shared_ptr<Backend>()> cpu_backend;
    std::function<std::unique_ptr<PresentTarget>()> host_target;
};

// See make_presenter.
Presenter climb_down(const LadderParts& parts, BackendChoice choice, const PresenterOptions& options);

}  // namespace texelscope
