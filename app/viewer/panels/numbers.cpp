// What the numbers on the active pane mean.

#include <imgui.h>

#include "app/picture/numbers.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void numbers(AppState& state) {
    if (!begin_dialog(state, Dialog::numbers)) return;
    const int pane = state.scene.active;
    ImGui::TextWrapped("%s", numbers_in_short(state, pane).c_str());
    ImGui::Dummy({0, gui::px(4)});
    ImGui::BeginChild("##list");
    scroll_list(state, Dialog::numbers);
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
    if (ImGui::BeginTable("##numbers", 2, flags)) {
        ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthFixed, gui::px(210));
        ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
        for (const NumberMeaning& line : numbers_explained(state, pane)) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushFont(gui::theme().heading);
            ImGui::TextUnformatted(line.name.c_str());
            ImGui::PopFont();
            ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::accent));
            ImGui::TextWrapped("%s", line.figure.c_str());
            ImGui::PopStyleColor();
            ImGui::TableNextColumn();
            ImGui::TextWrapped("%s", line.words.c_str());
        }
        ImGui::EndTable();
    }
    ImGui::EndChild();
    if (key_pressed(state, Dialog::numbers, ImGuiKey_Enter)) state.ui.dialogs.close(Dialog::numbers);
    end_dialog();
}

}  // namespace texelscope::panels
