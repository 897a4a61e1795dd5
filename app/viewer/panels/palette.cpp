// The command palette: type a few letters of any action.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/viewer/editing/action_search.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr int rows_shown = 12;

void run(AppState& state, const Action& action) {
    state.ui.dialogs.close(Dialog::palette);
    action.run(state);
}

void row(AppState& state, const Action& action, bool chosen) {
    const std::string keys = action.shortcuts.empty() ? "" : to_string(action.shortcuts.front());
    const std::string id = fmt::format("{}##{}", action.title, action.id);
    if (ImGui::Selectable(id.c_str(), chosen)) run(state, action);
    gui::note("palette:" + action.id);
    gui::tooltip(action.tooltip);
    if (keys.empty()) return;
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(keys.c_str()).x);
    ImGui::TextDisabled("%s", keys.c_str());
}

}  // namespace

void palette(AppState& state) {
    if (!state.ui.dialogs.has(Dialog::palette)) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(gui::px(560), screen.x);
    ImGui::SetNextWindowPos({(screen.x - width) / 2, std::min(gui::px(72), screen.y / 4)});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::SetNextWindowFocus();  // whatever else is open
    ImGui::PushStyleColor(ImGuiCol_Border, ImVec4(gui::colour::accent));
    ImGui::Begin("##palette", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    if (ImGui::IsWindowAppearing()) {
        state.ui.palette_text.clear();
        state.ui.palette_choice = 0;
    }
    focus_here(state, Dialog::palette);
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputTextWithHint("##command", "Type a command", &state.ui.palette_text,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    gui::note("palette:text");
    const bool left = ImGui::IsItemDeactivated() && !entered;
    if (ImGui::IsItemEdited()) state.ui.palette_choice = 0;

    const std::vector<const Action*> found = matching_actions(state, state.ui.palette_text);
    const int count = std::min(int(found.size()), rows_shown);
    int& choice = state.ui.palette_choice;
    move_choice(state, Dialog::palette, choice, count, rows_shown);
    for (int i = 0; i < count; ++i) row(state, *found[size_t(i)], i == choice);
    if (found.empty()) gui::remark("No command contains these letters in this order.", false);
    if (int(found.size()) > count) gui::remark(fmt::format("… and {} more", int(found.size()) - count), false);
    const bool inside = ImGui::IsWindowHovered();
    ImGui::End();
    if (entered && count > 0) run(state, *found[size_t(choice)]);
    else if (left && !inside) state.ui.dialogs.close(Dialog::palette);
}

}  // namespace texelscope::panels
