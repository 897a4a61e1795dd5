#pragma once
// The information on CUDA devices that `texelscope info` prints.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gpu/backend/device_choice.h"

namespace texelscope {

using FactRows = std::vector<std::pair<std::string, std::string>>;

// `used` is the ordinal of the device in use; any_device if there is none.
FactRows device_rows(std::span<const DeviceAnswer> devices, int used);
nlohmann::ordered_json devices_as_json(std::span<const DeviceAnswer> devices, int used);

}  // namespace texelscope
