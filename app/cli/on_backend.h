#pragma once
// Computes on the backend chosen on the command line; with `auto`, on any that works.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gpu/backend/backend.h"
#include "gpu/backend/device_choice.h"

namespace texelscope {

using MakeBackend = std::function<std::shared_ptr<Backend>(BackendChoice, std::string* reason)>;

// With `automatic`, one line on stderr says if a GPU exists but cannot be used. Throws Unavailable.
std::shared_ptr<Backend> backend_for(BackendChoice choice);

// Runs `work`. With `automatic`, the CPU replaces a GPU that runs out of memory or stops answering: one line on stderr
// says so, and the work starts again. Throws Unavailable and whatever `work` throws. `make` is for tests.
void on_backend(BackendChoice choice, const std::function<void(const std::shared_ptr<Backend>&)>& work,
                const MakeBackend& make = {});

// The information on CUDA devices that `texelscope info` prints.

using FactRows = std::vector<std::pair<std::string, std::string>>;

// `used` is the ordinal of the device in use; any_device if there is none.
FactRows device_rows(std::span<const DeviceAnswer> devices, int used);
nlohmann::ordered_json devices_as_json(std::span<const DeviceAnswer> devices, int used);

}  // namespace texelscope
