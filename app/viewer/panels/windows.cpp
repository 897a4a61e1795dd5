// Small windows: keys and mouse, about this machine.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/editing/actions.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

#ifndef TEXELSCOPE_VERSION
#define TEXELSCOPE_VERSION "development"
#endif

namespace texelscope::panels {
namespace {

// In the middle of the window, and never larger than the window.
bool begin(const char* title, bool* open, float width, float height) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(
        {std::min(gui::px(width), screen.x), height > 0 ? std::min(gui::px(height), screen.y - gui::px(48)) : 0},
        ImGuiCond_Appearing);
    return ImGui::Begin(title, open, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
}

struct MouseHelp {
    const char *what, *does;
};
constexpr MouseHelp mouse_help[] = {
    {"Wheel", "Zoom about the cursor; Shift: four times as fast, Ctrl: a quarter"},
    {"Left or middle drag", "Pan"},
    {"Right drag", "Select a region: figures are measured over it, Enter zooms to it"},
    {"Ctrl + left drag", "Draw the line of the profile"},
    {"On a plot", "Wheel zooms, drag pans, double click resets"},
    {"Shift held", "Show the reference: exact weights, exact prefilter"},
    {"Drop files", "Open them"},
};

void row(const std::string& keys, const char* text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    gui::number(keys, gui::colour::accent);
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", text);
}

void heading(const char* text) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Dummy({0, gui::px(2)});
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextUnformatted(text);
    ImGui::PopFont();
    ImGui::TableNextColumn();
}

void fact(const char* name, const std::string& text) {
    gui::label(name, "");
    ImGui::PushTextWrapPos(0);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
}

}  // namespace

void key_list(AppState& state) {
    if (!state.ui.keys) return;
    if (begin("Keys and mouse", &state.ui.keys, 620, 640) &&
        ImGui::BeginTable("##keys", 2, ImGuiTableFlags_NoSavedSettings)) {
        ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, gui::px(184));
        ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
        heading("Mouse");
        for (const MouseHelp& help : mouse_help) row(help.what, help.does);
        for (const auto& [which, title] : menus) {
            heading(title);
            for (const Action& action : all_actions())
                if (action.menu == which && !action.shortcuts.empty())
                    row(action.shortcut_text(), action.title.c_str());
            if (which == Menu::learn) row("Alt+Down, Alt+Up", "Scroll the lesson's text");
        }
        ImGui::EndTable();
    }
    ImGui::End();
}

void work(AppState& state) {
    if (!state.work) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y - gui::px(48)}, ImGuiCond_Always, {0.5f, 1.0f});
    ImGui::SetNextWindowSize({std::min(gui::px(420), screen.x), 0});
    ImGui::Begin("##work", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    const Work& now = *state.work;
    const std::string text = fmt::format("{}: {} of {}", now.text, now.done, now.total);
    const float button = gui::px(80);
    ImGui::ProgressBar(float(now.done) / float(std::max(now.total, 1)),
                       {ImGui::GetContentRegionAvail().x - button - gui::px(8), 0}, text.c_str());
    ImGui::SameLine();
    if (ImGui::Button("Cancel", {button, 0})) state.work->cancelled = true;
    gui::tooltip("Esc");
    gui::note("work:cancel");
    ImGui::End();
}

void about(AppState& state) {
    if (!state.ui.about) return;
    if (begin("About this machine", &state.ui.about, 560, 0)) {
        const Report& report = state.report;
        fact("Program", "texelscope " TEXELSCOPE_VERSION ": shows what image interpolation really does");
        fact("Backend", report.machine.rung_reason.empty()
                            ? report.machine.rung
                            : fmt::format("{} ({})", report.machine.rung, report.machine.rung_reason));
        fact("Device", report.machine.device_detail.empty()
                           ? report.machine.device
                           : fmt::format("{}, {}", report.machine.device, report.machine.device_detail));
        fact("Display", report.machine.gl_renderer);
    }
    ImGui::End();
}

}  // namespace texelscope::panels
