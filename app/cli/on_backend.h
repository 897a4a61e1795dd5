#pragma once
// Computes on the backend chosen on the command line; with `auto`, on any that works.

#include <functional>
#include <memory>
#include <string>

#include "gpu/backend/backend.h"

namespace texelscope {

using MakeBackend = std::function<std::shared_ptr<Backend>(BackendChoice, std::string* reason)>;

// With `automatic`, one line on stderr says if a GPU exists but cannot be used. Throws Unavailable.
std::shared_ptr<Backend> backend_for(BackendChoice choice);

// Runs `work`. With `automatic`, the CPU replaces a GPU that runs out of memory or stops answering: one line on stderr
// says so, and the work starts again. Throws Unavailable and whatever `work` throws. `make` is for tests.
void on_backend(BackendChoice choice, const std::function<void(const std::shared_ptr<Backend>&)>& work,
                const MakeBackend& make = {});

}  // namespace texelscope
