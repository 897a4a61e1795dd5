// Presenter mode: the lesson's text as a caption below the picture, a halo round the cursor, keys in a corner.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/text/columns.h"
#include "app/viewer/editing/key_hint.h"
#include "app/viewer/lessons/lesson_player.h"
#include "app/viewer/panels/lesson_widgets.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float padding_x = 24, padding_y = 10, column_gap = 28, least_column = 260;

// The title, and at the right the lesson's navigation.
float way_width(float width) { return std::clamp(std::floor(width / 2), gui::px(220), gui::px(300)); }
float title_width(float width) { return std::max(width - way_width(width) - gui::px(column_gap), gui::px(60)); }

float title_height(const AppState& state, float width) {
    const float title = gui::wrapped_height(current_step(state)->title, gui::theme().title, title_width(width));
    return std::max(title, gui::px(30)) + gui::px(8);
}

void title_row(AppState& state, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float way = way_width(width);
    gui::wrapped(current_step(state)->title, gui::theme().title, title_width(width), gui::colour::text);
    ImGui::SetCursorScreenPos({at.x + width - way, at.y});
    step_row(state, way);
}

// Height of the question's card with the space above it.
float question_height(const LessonStep& step, float width, bool answered) {
    if (step.question.empty()) return 0;
    const float inner = width - gui::px(26);
    const float answer = answered ? gui::rich_text_height(step.answer, inner) : ImGui::GetFrameHeight();
    return gui::rich_text_height(step.question, inner) + answer + gui::px(52);
}

// The step's text in one column or two, the question at its end.
struct TextColumns {
    float width;   // of each
    size_t first;  // blocks in the first
    bool two;
};

float columns_height(const LessonStep& step, const TextColumns& columns, bool answered) {
    const std::span<const TextBlock> blocks = step.text;
    const float first = gui::rich_text_height(blocks.first(columns.first), columns.width),
                rest = gui::rich_text_height(blocks.subspan(columns.first), columns.width),
                question = question_height(step, columns.width, answered);
    return columns.two ? std::max(first, rest + question) : first + question;
}

// Two columns if that costs no more than a line: short lines are easier to read. Showing the answer moves nothing.
TextColumns columns_of(const LessonStep& step, float width) {
    TextColumns best{width, step.text.size(), false};
    const float half = std::floor((width - gui::px(column_gap)) / 2);
    if (half < gui::px(least_column)) return best;
    float least = columns_height(step, best, true) + gui::theme().reading->FontSize * 1.3f;
    const size_t most = step.text.size() - (step.question.empty() ? 1 : 0);
    for (size_t first = 1; first <= most; ++first) {
        const TextColumns columns{half, first, true};
        const float height = columns_height(step, columns, true);
        if (height >= least) continue;
        least = height;
        best = columns;
    }
    return best;
}

void text_columns(AppState& state, float width) {
    const LessonStep& step = *current_step(state);
    const std::span<const TextBlock> blocks = step.text;
    const TextColumns columns = columns_of(step, width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    gui::rich_text(blocks.first(columns.first), columns.width);
    if (columns.two) ImGui::SetCursorScreenPos({at.x + columns.width + gui::px(column_gap), at.y});
    ImGui::BeginGroup();
    if (columns.first < blocks.size()) gui::rich_text(blocks.subspan(columns.first), columns.width);
    if (!step.question.empty() && (!columns.two || columns.first < blocks.size())) ImGui::Dummy({0, gui::px(6)});
    question(state, columns.width);
    ImGui::EndGroup();
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
    if (key_hint_left(state) < 0) return;
    const KeyHint& hint = state.presenter.key;
    const std::string text = hint.count > 1 ? fmt::format("{}  × {}", hint.text, hint.count) : hint.text;
    ImFont* font = gui::theme().title;
    const float size = font->FontSize * ImGui::GetIO().FontGlobalScale, ratio = gui::theme().pixel_ratio;
    const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
    const PixelRect& picture = state.report.frame.picture;
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
    const LessonStep& step = *current_step(state);
    const float inner = width - 2 * gui::px(padding_x);
    const float text = columns_height(step, columns_of(step, inner), state.lesson.answer) + gui::px(4);
    return std::round(title_height(state, inner) + text + 2 * gui::px(padding_y));
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
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inner = box.width - 2 * gui::px(padding_x), top = title_height(state, inner);
    title_row(state, inner);
    ImGui::SetCursorScreenPos({at.x, at.y + top});
    ImGui::BeginChild("##caption-text", {inner, box.height - 2 * gui::px(padding_y) - top});
    if (!std::exchange(state.lesson.scrolled, true)) ImGui::SetScrollY(0);
    scroll_by_keys(state);
    text_columns(state, ImGui::GetContentRegionAvail().x);
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
