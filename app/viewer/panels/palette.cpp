// The command palette: type a few letters of any action.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/viewer/editing/action_search.h"
#include "app/viewer/editing/typed_commands.h"
#include "app/viewer/panels/dialog.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr int rows_shown = 12;

// At once, or when the picture that it needs has been read.
void choose(AppState& state, const WaitingCommand& command) {
    if (!command.enabled(state)) {
        state.ui.palette_waits = command;
        return;
    }
    state.ui.palette_waits.reset();
    state.ui.dialogs.close(Dialog::palette);
    command.run(state);
}

void choose(AppState& state, const TypedCommand& typed) {
    const auto has_picture = [](const AppState& s) { return s.scene.document() && s.scene.document()->image; };
    choose(state, {typed.title, has_picture, typed.run});
}

void choose(AppState& state, const Action& action) {
    choose(state, {action.title, [&action](const AppState& s) { return action.is_enabled(s); },
                   [&action](AppState& s) { action.perform(s); }});
}

void run_waiting(AppState& state) {
    const std::optional<WaitingCommand> command = state.ui.palette_waits;
    if (!command || (!command->enabled(state) && awaits_picture(state))) return;
    state.ui.palette_waits.reset();
    if (command->enabled(state)) choose(state, *command);
}

// The command with a number, or why there is none for this number.
void typed_row(AppState& state, const TypedCommand& typed, bool chosen) {
    if (!typed.run) return gui::remark(typed.problem, false);
    if (ImGui::Selectable((typed.title + "##typed").c_str(), chosen)) choose(state, typed);
    gui::note("palette:typed");
    gui::tooltip("Acts on the active pane, about its centre.");
}

void row(AppState& state, const Action& action, bool chosen) {
    const std::string keys = action.shortcuts.empty() ? "" : to_string(action.shortcuts.front());
    const std::string id = fmt::format("{}##{}", action.title, action.id);
    if (ImGui::Selectable(id.c_str(), chosen)) choose(state, action);
    gui::note("palette:" + action.id);
    gui::tooltip(action.tooltip);
    if (keys.empty()) return;
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(keys.c_str()).x);
    ImGui::TextDisabled("%s", keys.c_str());
}

// The key that opens the palette, pressed again: what is typed next replaces the text.
bool begins_anew() {
    const auto& keys = find_action("window.palette")->shortcuts;
    return std::any_of(keys.begin(), keys.end(), gui::pressed);
}

bool command_field(std::string& text) {
    const auto select_all = [](ImGuiInputTextCallbackData* data) {
        data->SelectAll();
        return 0;
    };
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue;
    if (begins_anew()) flags |= ImGuiInputTextFlags_CallbackAlways;
    ImGui::SetNextItemWidth(-FLT_MIN);
    return ImGui::InputTextWithHint("##command", "Type a command, zoom 400 or rotate 15", &text, flags, select_all);
}

}  // namespace

void palette(AppState& state) {
    if (!state.ui.dialogs.has(Dialog::palette)) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    constexpr const DialogInfo& palette_row = row_of(Dialog::palette);
    const float width = std::min(gui::px(palette_row.width), screen.x);
    ImGui::SetNextWindowPos({(screen.x - width) / 2, std::min(gui::px(72), screen.y / 4)});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::SetNextWindowFocus();  // whatever else is open
    ImGui::PushStyleColor(ImGuiCol_Border, ImVec4(gui::colour::accent));
    ImGui::Begin(palette_row.title, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    shade_behind(state, Dialog::palette, palette_row.title, false);
    if (ImGui::IsWindowAppearing()) {
        state.ui.palette_text.clear();
        state.ui.palette_waits.reset();
        state.ui.palette_choice = 0;
    }
    focus_here(state, Dialog::palette);
    const bool entered = command_field(state.ui.palette_text);
    gui::note("palette:text");
    const bool left = ImGui::IsItemDeactivated() && !entered;
    if (ImGui::IsItemEdited()) {
        state.ui.palette_choice = 0;
        state.ui.palette_waits.reset();
    }

    const std::vector<const Action*> found = matching_actions(state, state.ui.palette_text);
    const std::optional<TypedCommand> typed = typed_command(state, state.ui.palette_text);
    const int before = typed && typed->run ? 1 : 0;  // rows
    const int count = std::min(int(found.size()), rows_shown - before);
    int& choice = state.ui.palette_choice;
    move_choice(state, Dialog::palette, choice, before + count, rows_shown);
    if (typed) typed_row(state, *typed, choice == 0);
    for (int i = 0; i < count; ++i) row(state, *found[size_t(i)], before + i == choice);
    if (found.empty() && !typed) gui::remark("No command contains these letters in this order.", false);
    if (int(found.size()) > count) gui::remark(fmt::format("… and {} more", int(found.size()) - count), false);
    if (const auto& waiting = state.ui.palette_waits)
        gui::remark(fmt::format("{} runs once the picture has been read.", waiting->title), false);
    const bool inside = ImGui::IsWindowHovered();
    ImGui::End();
    const bool runs = entered && (!typed || typed->run) && before + count > 0;  // never another than what was typed
    if (runs && choice < before) choose(state, *typed);
    else if (runs) choose(state, *found[size_t(choice - before)]);
    else if (left && !inside) state.ui.dialogs.close(Dialog::palette);
    run_waiting(state);
}

}  // namespace texelscope::panels
