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
    method(state);
    compare(state);
    active_pane(state);
    view(state);
    display(state);
    image(state);
    timing(state);
    note_end_of_panel();
    ImGui::End();
    ImGui::PopStyleVar(3);
}

// The edge between the panel, whatever it holds, and the picture.
void panel_edge(AppState& state, const gui::Box& box) {
    if (box.empty() || !gui::drag_edge("panel-edge", box.x + box.width, box.y, box.height)) return;
    float& panel_width = shows_lesson_panel(state) ? state.ui.lesson_width : state.ui.panel_width;
    panel_width = std::max(gui::min_panel_width, ImGui::GetIO().MousePos.x / gui::theme().scale);
}

void panel_handle(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::Begin("##panel-handle", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    if (ImGui::InvisibleButton("##open", {box.width, box.height})) state.ui.panel_over = !state.ui.panel_over;
    const ImVec2 middle{box.x + box.width / 2, box.y + box.height / 2};
    gui::chevron(middle, state.ui.panel_over ? gui::Way::left : gui::Way::right,
                 ImGui::IsItemHovered() ? gui::colour::text : gui::colour::secondary);
    gui::tooltip(state.ui.panel_over ? "Hide the panel."
                                     : "Show the panel over the picture: it has no space beside it.");
    gui::note("panel-handle");
    ImGui::End();
    ImGui::PopStyleVar(4);
}

}  // namespace texelscope::panels
