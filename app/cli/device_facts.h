#pragma once
// What `texelscope info` tells about the CUDA devices.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gpu/backend/device_choice.h"

namespace texelscope {

using FactRows = std::vector<std::pair<std::string, std::string>>;

// `used` is the ordinal of the one that computes; any_device where none does.
FactRows device_rows(std::span<const DeviceAnswer> devices, int used);
nlohmann::ordered_json devices_as_json(std::span<const DeviceAnswer> devices, int used);

}  // namespace texelscope
