#include "app/viewer/panels/panels.h"

#include <optional>
#include <utility>

#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/viewer/editing/view_edits.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// A figure that can be typed, with the field that it is edited in and the command that Enter gives.
struct Typing {
    std::string_view id;
    std::optional<TypedField> UiState::*field;
    TypedCommand (*command)(const AppState&, std::string_view);
};
constexpr Typing typings[] = {
    {status_zoom, &UiState::typed_zoom, [](const AppState&, std::string_view text) { return zoom_command(text); }},
    {status_position, &UiState::typed_position, position_command}};

// In place of the figure while it is typed: Enter sets it, Esc and a click elsewhere leave it.
void typed_input(AppState& state, const Typing& typing, float x, float width, const gui::Box& box) {
    TypedField& typed = *(state.ui.*typing.field);
    const ImVec2 padding{gui::px(6), gui::px(2)};
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    ImGui::SetCursorPos({x - padding.x, (box.height - ImGui::GetFrameHeight()) / 2});
    ImGui::SetNextItemWidth(width + 2 * padding.x);
    // Frames until it surely has the keyboard that it asks for; a menu that closes takes it away again.
    constexpr int asking = 6, closing = 3;
    if (typed.frames == 0 || (typed.frames < closing && !ImGui::IsAnyItemActive())) ImGui::SetKeyboardFocusHere();
    ++typed.frames;
    ImGui::PushID(typing.id.data());
    const bool entered = ImGui::InputText("##typed", &typed.text,
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ImGui::PopID();
    ImGui::PopStyleVar();
    gui::note(typing.id);
    const bool left = ImGui::IsItemDeactivated() || (typed.frames > asking && !ImGui::IsItemActive());
    if (entered) {
        const TypedCommand command = typing.command(state, typed.text);
        withdraw(state.messages, std::exchange(typed.problem, command.problem));
        typed.frames = 0;  // after a message, it goes on
        if (!command.run) return post(state.messages, Message::Level::warning, command.problem);
        command.run(state);
    }
    if (!entered && !left) return;
    withdraw(state.messages, typed.problem);
    (state.ui.*typing.field).reset();
}

}  // namespace

bool typed_figure(AppState& state, std::string_view id, float x, float width, const gui::Box& box) {
    for (const Typing& typing : typings) {
        if (id != typing.id || !(state.ui.*typing.field)) continue;
        typed_input(state, typing, x, width, box);
        return true;
    }
    return false;
}

}  // namespace texelscope::panels
