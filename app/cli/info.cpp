// texelscope info: what this build and this machine can do, and which rung of the ladder the viewer would use; or what
// image files say of themselves.

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "app/cli/command_line.h"
#include "app/cli/options.h"
#include "app/cli/running.h"
#include "app/files/bytes/json_text.h"
#include "app/files/decoding/decoder.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/image_files.h"
#include "app/files/tables/tables.h"
#include "app/viewer/pushing/pushing.h"
#include "app/window/window.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/machine.h"

namespace texelscope {
namespace {

// What `texelscope info FILE` prints of a picture: only its header is read.

PictureFacts facts_of(const std::string& source) {
    if (source.starts_with('@') || is_table(file_of(source)))
        throw UsageError(fmt::format("{}: info describes image files only", source));
    const auto [file, choice] = parse_picture_source(source);
    if (file != "-") return load_facts(source);
    Reading reading;
    reading.choice = choice;
    return read_standard_input_facts(reading);
}

const std::vector<std::string>& channels_of(const PictureFacts& facts) {
    static const std::vector<std::string> unknown;
    return size_t(facts.part) < facts.parts.size() ? facts.parts[size_t(facts.part)].channels : unknown;
}

std::vector<std::string> read_channels(const PictureFacts& facts) {
    std::vector<std::string> names;
    for (const int channel : facts.channels)
        if (size_t(channel) < channels_of(facts).size()) names.push_back(channels_of(facts)[size_t(channel)]);
    return names;
}

// Both throw Error, and UsageError for what is no file.
std::string file_facts_as_text(const std::string& source) { return text_of(facts_of(source).metadata); }

nlohmann::ordered_json file_facts_as_json(const std::string& source) {
    const PictureFacts facts = facts_of(source);
    nlohmann::ordered_json parts = nlohmann::ordered_json::array();
    for (const auto& [name, width, height, channels] : facts.parts)
        parts.push_back({{"name", name}, {"width", width}, {"height", height}, {"channels", channels}});
    nlohmann::ordered_json metadata = nlohmann::ordered_json::array();
    for (const auto& [group, name, value] : facts.metadata)
        metadata.push_back({{"group", group}, {"name", name}, {"value", value}});
    return {{"file", file_of(source)},
            {"width", facts.shape.width},
            {"height", facts.shape.height},
            {"type", name_of(facts.shape.type)},
            {"alpha", name_of(facts.shape.alpha)},
            {"orientation", facts.orientation},
            {"turned_upright", facts.upright},
            {"part", facts.part + 1},
            {"channels", read_channels(facts)},
            {"parts", std::move(parts)},
            {"metadata", std::move(metadata)}};
}

struct ThisMachine {
    FactRows rows;
    std::vector<DeviceAnswer> devices;
    int used = any_device;
};

ThisMachine describe_machine() {
    ThisMachine machine;
    FactRows& rows = machine.rows;
    rows = {{"version", TEXELSCOPE_VERSION},
            {"built with CUDA", TEXELSCOPE_WITH_CUDA ? "yes" : "no"},
            {"built with OpenImageIO", TEXELSCOPE_WITH_OIIO ? "yes" : "no"},
            {"image files", "decoded " + decoding_facts()},
            {"image formats", readable_formats()}};
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
    ThisMachine machine = describe_machine();
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

    // Describes the files that can be read; each other one gets a line on stderr that says why not.
    void describe_files() const {
        std::vector<std::string> sources, problems;
        for (const std::string& file : files) sources.push_back(picture.source_of(file));
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        std::string text;
        for (const std::string& source : sources) try {
                if (json) list.push_back(file_facts_as_json(source));
                else text += (text.empty() ? "" : "\n") + file_facts_as_text(source);
            } catch (const Error& error) {
                if (sources.size() == 1) throw;
                problems.emplace_back(error.what());
            }
        if (problems.size() < sources.size()) fmt::print("{}", json ? json_text(list, 2) + '\n' : text);
        if (problems.empty()) return;
        for (size_t i = 0; i + 1 < problems.size(); ++i) {
            std::replace(problems[i].begin(), problems[i].end(), '\n', ' ');
            fmt::print(stderr, "texelscope: {}\n", problems[i]);
        }
        throw Error(problems.back());
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
