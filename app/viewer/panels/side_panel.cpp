// The panel at the left: its sections, and its edge to drag.

#include <algorithm>

#include <imgui.h>

#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void edge(AppState& state, const gui::Box& box) {
    const float grip = gui::px(6);
    ImGui::SetNextWindowPos({box.x + box.width - grip / 2, box.y});
    ImGui::SetNextWindowSize({grip, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::Begin("##edge", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::InvisibleButton("##grip", {grip, box.height});
    gui::note("panel-edge");
    const bool held = ImGui::IsItemActive();
    if (held || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        const float x = box.x + box.width;
        ImGui::GetForegroundDrawList()->AddLine({x, box.y}, {x, box.y + box.height},
                                                gui::packed(gui::colour::accent, held ? 1.0f : 0.6f), gui::px(2));
    }
    float& panel_width = shows_lesson_panel(state) ? state.ui.lesson_width : state.ui.panel_width;
    if (held) panel_width = std::max(gui::min_panel_width, ImGui::GetIO().MousePos.x / gui::theme().scale);
    ImGui::End();
    ImGui::PopStyleVar(3);
}

}  // namespace

void side_panel(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(16), gui::px(4)));
    ImGui::Begin("##panel", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    // A line between panel and picture.
    ImGui::GetWindowDrawList()->AddLine({box.x + box.width - 0.5f, box.y},
                                        {box.x + box.width - 0.5f, box.y + box.height},
                                        gui::packed(gui::rgb(0x18191b)));
    image(state);
    method(state);
    compare(state);
    address(state);
    view(state);
    display(state);
    timing(state);
    ImGui::Dummy({0, gui::px(8)});
    ImGui::End();
    ImGui::PopStyleVar(3);
}

// The edge between the panel, whatever it holds, and the picture.
void panel_edge(AppState& state, const gui::Box& box) {
    if (!box.empty()) edge(state, box);
}

}  // namespace texelscope::panels
