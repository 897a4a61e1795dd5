#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>

#include "app/files/codecs/codecs.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void format_row(std::string& path, const std::string& name) {
    const char* tip = "File format; it is the extension of the path.";
    gui::label("Format", tip);
    const Codec* current = codec_of_extension(path);
    const std::string now = current && writable(*current) ? std::string(current->name) : "choose by extension";
    if (!gui::begin_combo("##format", now.c_str())) {
        gui::tooltip(tip);
        gui::note(name);
        return;
    }
    for (const Codec* codec : codecs()) {
        if (!writable(*codec)) continue;
        const std::string extension(codec->extensions.substr(0, codec->extensions.find(' ')));
        if (ImGui::Selectable(fmt::format("{}  .{}", codec->name, extension).c_str(), codec == current))
            path = std::filesystem::path(path).replace_extension(extension).string();
        gui::note(name + ":" + extension);
    }
    ImGui::EndCombo();
}

}  // namespace texelscope::panels
