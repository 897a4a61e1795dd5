// The panel at the left: its sections, and its edge to drag.

#include <algorithm>

#include <imgui.h>

#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

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
    if (box.empty() || !gui::drag_edge("panel-edge", box.x + box.width, box.y, box.height)) return;
    float& panel_width = shows_lesson_panel(state) ? state.ui.lesson_width : state.ui.panel_width;
    panel_width = std::max(gui::min_panel_width, ImGui::GetIO().MousePos.x / gui::theme().scale);
}

}  // namespace texelscope::panels
