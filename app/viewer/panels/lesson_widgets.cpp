#include "app/viewer/panels/lesson_widgets.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/editing/actions.h"
#include "app/viewer/lessons/lesson_player.h"
#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float button_width = 84;

void run_button(AppState& state, const char* text, const char* id, bool accent) {
    const Action& action = *find_action(id);
    ImGui::BeginDisabled(!action.is_enabled(state));
    if (accent) {
        ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(gui::faded(gui::colour::accent, 0.28f)));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImVec4(gui::faded(gui::colour::accent, 0.42f)));
    }
    if (ImGui::Button(text, {gui::px(button_width), gui::px(30)})) action.perform(state);
    if (accent) ImGui::PopStyleColor(2);
    ImGui::EndDisabled();
    gui::tooltip(fmt::format("{}\n{}", action.tooltip, action.shortcut_text()));
    gui::note(id);
}

// The reader's position; a click goes to a step. If there is no space for dots, a number.
void dots(AppState& state, float width, float height) {
    const Lesson& lesson = *state.lesson.lesson;
    const int count = int(lesson.steps.size());
    const float pitch = std::min(gui::px(16), width / float(count));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (pitch < gui::px(9)) {
        const std::string text = fmt::format("{} of {}", state.lesson.step + 1, count);
        ImGui::SetCursorScreenPos(
            {at.x + (width - ImGui::CalcTextSize(text.c_str()).x) / 2, at.y + (height - ImGui::GetFontSize()) / 2});
        ImGui::TextUnformatted(text.c_str());
        return;
    }
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float first = at.x + (width - pitch * float(count)) / 2;
    for (int i = 0; i < count; ++i) {
        ImGui::SetCursorScreenPos({first + pitch * float(i), at.y});
        ImGui::PushID(i);
        if (ImGui::InvisibleButton("##dot", {pitch, height})) ask_for_step(state, i);
        ImGui::PopID();
        gui::note(fmt::format("learn:step-{}", i + 1));
        const bool now = i == state.lesson.step, hovered = ImGui::IsItemHovered();
        const gui::Colour& ink = now                     ? gui::colour::accent
                                 : i < state.lesson.step ? gui::colour::secondary
                                                         : gui::colour::mark;
        const float radius = now ? 5.0f : hovered ? 4.5f : 3.5f;
        draw.AddCircleFilled({first + pitch * (float(i) + 0.5f), at.y + height / 2}, gui::px(radius), gui::packed(ink));
        gui::tooltip(fmt::format("{}. {}", i + 1, lesson.steps[size_t(i)].title));
    }
}

}  // namespace

void step_row(AppState& state, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float button = gui::px(button_width), height = gui::px(30), gap = gui::px(10);
    run_button(state, "Back", "learn.back", false);
    ImGui::SetCursorScreenPos({at.x + button + gap, at.y});
    dots(state, width - 2 * (button + gap), height);
    ImGui::SetCursorScreenPos({at.x + width - button, at.y});
    run_button(state, has_next_step(state) || !next_lesson(state) ? "Next" : "Continue", "learn.next", true);
}

void scroll_by_keys(const AppState& state) {
    if (!ImGui::GetIO().KeyAlt || state.ui.dialogs.topmost()) return;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)) ? 1.0f : 0.0f; };
    const float way = pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
    if (way != 0) ImGui::SetScrollY(ImGui::GetScrollY() + way * 4 * gui::theme().reading->FontSize);
}

void question(AppState& state, float width) {
    const LessonStep& step = *current_step(state);
    if (step.question.empty()) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = gui::px(14), inner = width - inset - gui::px(12), gap = gui::px(10);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.ChannelsSplit(2);
    draw.ChannelsSetCurrent(1);
    ImGui::BeginGroup();
    ImGui::Dummy({0, gap - ImGui::GetStyle().ItemSpacing.y});
    ImGui::Indent(inset);
    gui::rich_text(step.question, inner);
    ImGui::Dummy({0, gui::px(2)});
    if (state.lesson.answer) {
        gui::rich_text(step.answer, inner, gui::rgb(0x7fe0c4));
    } else {
        if (ImGui::Button("Show the answer")) state.lesson.answer = true;
        gui::tooltip("Think first. Press Q to show or hide the answer.");
        gui::note("learn.answer");
    }
    ImGui::Unindent(inset);
    ImGui::Dummy({0, gap - ImGui::GetStyle().ItemSpacing.y});
    ImGui::EndGroup();
    gui::note("lesson:question");
    const float end = ImGui::GetItemRectMax().y;
    // For more than a frame: a scroll bar that appears with the answer makes it narrower, and with that longer.
    constexpr int frames_to_settle = 3;
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    bool& was_shown = *storage.GetBoolRef(ImGui::GetID("##answer"));
    const bool shown_now = !std::exchange(was_shown, state.lesson.answer) && state.lesson.answer;
    const int left = shown_now ? frames_to_settle : storage.GetInt(ImGui::GetID("##settles"));
    if (left > 0) ImGui::SetScrollHereY(1);
    storage.SetInt(ImGui::GetID("##settles"), std::max(left - 1, 0));
    draw.ChannelsSetCurrent(0);
    const gui::Colour ground = gui::rgb(0x2fd0a5);
    draw.AddRectFilled(at, {at.x + width, end}, gui::packed(ground, 0.08f), gui::px(4));
    draw.AddRectFilled(at, {at.x + gui::px(3), end}, gui::packed(ground), gui::px(2));
    draw.ChannelsMerge();
}

}  // namespace texelscope::panels
