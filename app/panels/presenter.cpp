// Presenter mode: the lesson's text as a caption below the picture, a halo round the cursor, keys in a corner.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"
#include "app/lessons/lesson_player.h"
#include "app/panels/lesson_widgets.h"
#include "app/panels/panels.h"
#include "app/presenter/key_hint.h"

namespace texelscope::panels {
namespace {

constexpr float padding_x = 24, padding_y = 14, title_share = 0.24f;

// The title and the way through the lesson at the left, the text beside them.
struct Columns {
    float left, gap, right;
};
Columns columns_of(float width) {
    const float inner = width - 2 * gui::px(padding_x), gap = gui::px(28);
    const float left = std::max(gui::px(240), std::round(inner * title_share));
    return {left, gap, inner - left - gap};
}

void left_column(AppState& state, float width, float height) {
    const LessonStep& step = *current_step(state);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    gui::wrapped(step.title, gui::theme().title, width, gui::colour::text);
    ImGui::SetCursorScreenPos({at.x, std::max(at.y + height - gui::px(30), ImGui::GetCursorScreenPos().y)});
    step_row(state, width);
}

void right_column(AppState& state, float width) {
    const LessonStep& step = *current_step(state);
    gui::rich_text(step.text, width);
    if (step.question.empty()) return;
    ImGui::Dummy({0, gui::px(6)});
    question(state, width);
}

// Of the question's card.
float question_height(const AppState& state, float width) {
    const LessonStep& step = *current_step(state);
    if (step.question.empty()) return 0;
    const float inner = width - gui::px(26);
    const float answer = state.lesson.answer ? gui::rich_text_height(step.answer, inner) : ImGui::GetFrameHeight();
    return gui::rich_text_height(step.question, inner) + answer + gui::px(48);
}

void halo(const AppState& state) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    if (!ImGui::IsMousePosValid(&at)) return;
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    const float r = gui::px(state.presenter.pressed ? 16 : 22);
    const gui::Colour light = gui::rgb(0xffd54a);
    draw.AddCircleFilled(at, r, gui::packed(light, state.presenter.pressed ? 0.34f : 0.20f), 48);
    draw.AddCircle(at, r, gui::packed(gui::rgb(0x000000), 0.45f), 48, gui::px(3));
    draw.AddCircle(at, r, gui::packed(light, 0.95f), 48, gui::px(1.5f));
}

// In the picture's lower right corner.
void keys(const AppState& state) {
    if (key_hint_patience(state) < 0) return;
    const KeyHint& hint = state.presenter.key;
    const std::string text = hint.count > 1 ? fmt::format("{}  × {}", hint.text, hint.count) : hint.text;
    ImFont* font = gui::theme().title;
    const float size = font->FontSize * ImGui::GetIO().FontGlobalScale, ratio = gui::theme().pixel_ratio;
    const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
    const PixelRect& picture = state.report.picture;
    const ImVec2 high{float(picture.x + picture.width) / ratio - gui::px(20),
                      float(picture.y + picture.height) / ratio - gui::px(20)};
    const ImVec2 low{high.x - extent.x - gui::px(28), high.y - extent.y - gui::px(16)};
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    draw.AddRectFilled(low, high, gui::packed(gui::rgb(0x16181a), 0.88f), gui::px(8));
    draw.AddRect(low, high, gui::packed(gui::rgb(0xffffff), 0.25f), gui::px(8), 0, gui::px(1));
    draw.AddText(font, size, {low.x + gui::px(14), low.y + gui::px(8)}, gui::packed(gui::colour::text), text.c_str());
}

}  // namespace

float caption_height(const AppState& state, float width) {
    if (!state.presenter.on || !current_step(state)) return 0;
    const Columns columns = columns_of(width);
    const LessonStep& step = *current_step(state);
    const float left = gui::wrapped_height(step.title, gui::theme().title, columns.left) + gui::px(46);
    const float right =
        gui::rich_text_height(step.text, columns.right) + question_height(state, columns.right) + gui::px(4);
    return std::round(std::max(left, right) + 2 * gui::px(padding_y));
}

void caption(AppState& state, const gui::Box& box) {
    if (box.empty() || !current_step(state)) return;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(padding_x), gui::px(padding_y)));
    ImGui::Begin("##caption", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus);
    const Columns columns = columns_of(box.width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = box.height - 2 * gui::px(padding_y);
    left_column(state, columns.left, height);
    ImGui::SetCursorScreenPos({at.x + columns.left + columns.gap, at.y});
    ImGui::BeginChild("##caption-text", {columns.right, height});
    if (!std::exchange(state.lesson.scrolled, true)) ImGui::SetScrollY(0);
    right_column(state, ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
    ImGui::End();
    ImGui::PopStyleVar(3);
}

void presenter_overlay(const AppState& state) {
    if (!state.presenter.on) return;
    halo(state);
    keys(state);
}

}  // namespace texelscope::panels
