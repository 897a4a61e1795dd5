// texelscope info: what this build and this machine can do, and which rung of the ladder the viewer would stand on.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/files/image_files.h"
#include "app/presentation.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/core/available_memory.h"

namespace texelscope {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows describe_machine() {
    Rows rows = {{"version", TEXELSCOPE_VERSION},
                 {"built with CUDA", TEXELSCOPE_WITH_CUDA ? "yes" : "no"},
                 {"built with OpenImageIO", TEXELSCOPE_WITH_OIIO ? "yes" : "no"}};
    const std::string no_cuda = why_no_cuda();
    const auto backend = make_backend(BackendChoice::automatic);
    const BackendInfo& info = backend->info();
    rows.emplace_back("backend", name_of(info.kind));
    if (!no_cuda.empty()) rows.emplace_back("why not cuda", no_cuda);
    rows.emplace_back("device", info.device);
    rows.emplace_back("device detail", info.detail);
    if (info.limits.memory_bytes) rows.emplace_back("device memory", fmt::format("{} MiB", info.limits.memory_bytes >> 20));
    rows.emplace_back("kept at most", words_of_bytes(backend->memory().limit()));
    if (info.limits.texture_width)
        rows.emplace_back("largest texture", fmt::format("{}×{}", info.limits.texture_width, info.limits.texture_height));
    const Presentation presentation = probe_presentation();
    rows.emplace_back("OpenGL", presentation.opengl);
    rows.emplace_back("viewer shows through", presentation.rung);
    if (!presentation.reason.empty()) rows.emplace_back("why no higher rung", presentation.reason);
    return rows;
}

void print_info(bool json) {
    const Rows rows = describe_machine();
    if (json) {
        nlohmann::ordered_json object;
        for (auto [key, value] : rows) {
            std::replace(key.begin(), key.end(), ' ', '_');
            object[key] = value;
        }
        fmt::print("{}\n", object.dump(2));
        return;
    }
    for (const auto& [key, value] : rows) fmt::print("{:<24}{}\n", key, value);
}

}  // namespace

void add_info(CLI::App& app) {
    auto* command = app.add_subcommand("info", "Tell what this build and this machine can do");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "As JSON");
    command->callback([json] { print_info(*json); });
}

}  // namespace texelscope
