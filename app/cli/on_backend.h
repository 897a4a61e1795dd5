#pragma once
// Computing on the backend that the command line asked for; with `auto` on whatever of them can.

#include <functional>
#include <memory>
#include <string>

#include "gpu/backend/backend.h"

namespace texelscope {

using MakeBackend = std::function<std::shared_ptr<Backend>(BackendChoice, std::string* reason)>;

// With `automatic`, stderr tells in one line where a GPU is there and could not be used. Throws Unavailable.
std::shared_ptr<Backend> backend_for(BackendChoice choice);

// Runs `work`. With `automatic`, a GPU that runs out of memory or stops answering gives way to the CPU: stderr tells so
// in one line, and the work begins anew. Throws Unavailable, and what `work` throws. `make` is a test's.
void on_backend(BackendChoice choice, const std::function<void(const std::shared_ptr<Backend>&)>& work,
                const MakeBackend& make = {});

}  // namespace texelscope
