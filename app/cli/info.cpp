// texelscope info: what this build and this machine can do, and which rung of the ladder the viewer would use; or what
// image files say of themselves.

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/device_facts.h"
#include "app/cli/file_facts.h"
#include "app/cli/files_options.h"
#include "app/files/bytes/json_text.h"
#include "app/files/decoding/decoding.h"
#include "app/viewer/pushing/push_place.h"
#include "app/window/screen_route.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/available_memory.h"

namespace texelscope {
namespace {

struct Machine {
    FactRows rows;
    std::vector<DeviceAnswer> devices;
    int used = any_device;
};

Machine describe_machine() {
    Machine machine;
    FactRows& rows = machine.rows;
    rows = {{"version", TEXELSCOPE_VERSION},
            {"built with CUDA", TEXELSCOPE_WITH_CUDA ? "yes" : "no"},
            {"built with OpenImageIO", TEXELSCOPE_WITH_OIIO ? "yes" : "no"},
            {"image files", "decoded " + decoding_facts()}};
    std::string none, reason;
    for (int device = 0, count = machine_devices().count(none); device < count; ++device)
        machine.devices.push_back(machine_devices().ask(device));
    const auto backend = make_backend(BackendChoice::automatic, {}, &reason);
    const BackendInfo& info = backend->info();
    const bool cuda = info.kind == BackendKind::cuda;
    if (cuda) machine.used = info.device_index;
    rows.emplace_back("backend", name_of(info.kind));
    if (!reason.empty()) rows.emplace_back(cuda ? "why not another device" : "why not cuda", reason);
    rows.emplace_back("device", info.device);
    rows.emplace_back("device detail", info.detail);
    if (info.limits.memory_bytes)
        rows.emplace_back("device memory", fmt::format("{} MiB", info.limits.memory_bytes >> 20));
    rows.emplace_back("kept at most", words_of_bytes(backend->memory().limit()));
    if (info.limits.texture_width)
        rows.emplace_back("largest texture",
                          fmt::format("{}×{}", info.limits.texture_width, info.limits.texture_height));
    const Presentation presentation = probe_presentation();
    rows.emplace_back("OpenGL", presentation.opengl);
    rows.emplace_back("viewer shows through", presentation.rung);
    if (!presentation.device.empty()) rows.emplace_back("viewer computes on", presentation.device);
    if (!presentation.reason.empty()) rows.emplace_back("why no higher rung", presentation.reason);
    rows.emplace_back("programs push to", push_facts());
    return machine;
}

void print_info(bool json) {
    Machine machine = describe_machine();
    if (json) {
        nlohmann::ordered_json object;
        for (auto [key, value] : machine.rows) {
            std::replace(key.begin(), key.end(), ' ', '_');
            object[key] = value;
        }
        object["cuda_devices"] = devices_as_json(machine.devices, machine.used);
        fmt::print("{}\n", json_text(object, 2));
        return;
    }
    const FactRows devices = device_rows(machine.devices, machine.used);
    machine.rows.insert(machine.rows.end(), devices.begin(), devices.end());
    for (const auto& [key, value] : machine.rows) fmt::print("{:<24}{}\n", key, value);
}

struct InfoCommand {
    bool json = false;
    std::vector<std::string> files;
    PictureOptions picture;

    void run() const {
        if (!files.empty()) return describe_files();
        if (picture.given()) throw UsageError("--part, --channels and --orientation need the name of a file");
        print_info(json);
    }

    void describe_files() const {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        std::string text;
        for (const std::string& file : files) {
            const std::string source = picture.source_of(file);
            if (json) list.push_back(file_facts_as_json(source));
            else text += (text.empty() ? "" : "\n") + file_facts_as_text(source);
        }
        fmt::print("{}", json ? json_text(list, 2) + '\n' : text);
    }
};

}  // namespace

void add_info(Command app) {
    Command command =
        app.add_subcommand("info", "Show what this build and this machine can do, or what image files hold");
    auto options = std::make_shared<InfoCommand>();
    command.add_option(
        "FILE", options->files,
        "Image files, or - for one from standard input: their size, orientation, channels, parts and metadata, instead of the machine");
    command.add_flag("--json", options->json, "Print JSON");
    options->picture.add_to(command);
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
