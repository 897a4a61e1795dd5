#include <imgui.h>

#include "app/files/test_images/test_images.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void item(AppState& state, const Action& action) {
    const std::string keys = action.shortcuts.empty() ? "" : "    " + to_string(action.shortcuts.front());
    if (ImGui::MenuItem(action.title.c_str(), keys.c_str(), action.is_checked(state), action.is_enabled(state)))
        action.run(state);
    gui::tooltip(action.tooltip);
    gui::note(action.id);
}

// Below the bar, scrolling if it is longer than the window.
bool begin_menu(const char* title, bool enabled = true) {
    const float bar = ImGui::GetFontSize() + gui::px(10);
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, ImGui::GetIO().DisplaySize.y - bar - gui::px(4)});
    return ImGui::BeginMenu(title, enabled);
}

void test_images_menu(AppState& state) {
    if (!begin_menu("Test images")) return;
    for (const TestImage& test : test_images()) {
        if (ImGui::MenuItem(std::string(test.name).c_str()))
            state.tasks.push_back(task::Open{"@" + std::string(test.id)});
        gui::tooltip(test.summary);
        gui::note("test-image:" + std::string(test.id));
    }
    ImGui::EndMenu();
}

void recent_menu(AppState& state) {
    if (!begin_menu("Recent files", !state.ui.recent.empty())) return;
    for (const std::string& path : state.ui.recent) {
        ImGui::PushID(path.c_str());
        if (ImGui::MenuItem(path.c_str())) state.tasks.push_back(task::Open{path});
        ImGui::PopID();
    }
    ImGui::EndMenu();
}

void menu(AppState& state, Menu which, const char* title) {
    const bool open = begin_menu(title);
    gui::note(std::string("menu:") + title);
    if (!open) return;
    int group = -1;
    for (const Action* action : actions_of(which)) {
        if (group >= 0 && action->group != group) ImGui::Separator();
        group = action->group;
        item(state, *action);
        if (action->id == "file.open") {
            recent_menu(state);
            test_images_menu(state);
        }
    }
    ImGui::EndMenu();
}

}  // namespace

void menu_bar(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(gui::px(8), (box.height - ImGui::GetFontSize()) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(8), gui::px(6)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(8), gui::px(8)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    const bool open = ImGui::BeginMainMenuBar();
    ImGui::PopStyleVar();
    if (open) {
        for (const auto& [which, title] : menus) menu(state, which, title);
        ImGui::EndMainMenuBar();
    }
    ImGui::PopStyleVar(3);
}

}  // namespace texelscope::panels
