#include "app/cli/device_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace texelscope {
namespace {

std::string name_of(const DeviceAnswer& device) {
    std::string name = device.name.empty() ? "unknown" : device.name;
    if (const int capability = device.limits.compute_capability)
        name += fmt::format(", compute capability {}", capability_text(capability));
    return name;
}

std::string words_of(const DeviceLimits& limits) {
    return fmt::format("{} multiprocessors, {} KiB of shared memory per block", limits.multiprocessors,
                       limits.shared_bytes_per_block >> 10);
}

}  // namespace

FactRows device_rows(std::span<const DeviceAnswer> devices, int used) {
    FactRows rows;
    for (const DeviceAnswer& device : devices) {
        const char* state = !device.usable() ? "cannot be used" : device.index == used ? "in use" : "not in use";
        rows.emplace_back(fmt::format("CUDA device {}", device.index), fmt::format("{}: {}", name_of(device), state));
        if (!device.usable()) {
            rows.emplace_back("  reason", device.why_not);
            continue;
        }
        rows.emplace_back("  code", device.code);
        rows.emplace_back("  hardware", words_of(device.limits));
    }
    return rows;
}

nlohmann::ordered_json devices_as_json(std::span<const DeviceAnswer> devices, int used) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DeviceAnswer& device : devices) {
        nlohmann::ordered_json object = {{"index", device.index},
                                         {"name", device.name},
                                         {"usable", device.usable()},
                                         {"used", device.usable() && device.index == used}};
        if (!device.usable()) object["why_not"] = device.why_not;
        else object["code"] = device.code;
        if (const DeviceLimits& limits = device.limits; limits.compute_capability) {
            object["compute_capability"] = capability_text(limits.compute_capability);
            object["multiprocessors"] = limits.multiprocessors;
            object["shared_bytes_per_block"] = limits.shared_bytes_per_block;
            object["largest_texture"] = {limits.texture_width, limits.texture_height};
            object["memory_bytes"] = limits.memory_bytes;
        }
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace texelscope
