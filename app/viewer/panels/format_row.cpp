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
    const Format* current = format_of_extension(path);
    const std::string now = current && writable(*current) ? std::string(current->name) : "choose by extension";
    if (!gui::begin_combo("##format", now.c_str())) {
        gui::tooltip(tip);
        gui::note(name);
        return;
    }
    for (const Format& format : formats()) {
        if (!writable(format)) continue;
        const std::string extension(format.extensions.substr(0, format.extensions.find(' ')));
        if (ImGui::Selectable(fmt::format("{}  .{}", format.name, extension).c_str(), &format == current))
            path = std::filesystem::path(path).replace_extension(extension).string();
        gui::note(name + ":" + extension);
    }
    ImGui::EndCombo();
}

}  // namespace texelscope::panels
