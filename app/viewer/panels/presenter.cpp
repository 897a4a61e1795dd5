// Presenter mode: the lesson's text as a caption below the picture, a halo round the cursor, keys in a corner.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/text/text.h"
#include "app/viewer/editing/picture_input.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float caption_padding_x = 24, caption_padding_y = 10, column_gap = 28, least_column = 260;

// The title, and at the right the lesson's navigation.
float way_width(float width) { return std::clamp(std::floor(width / 2), gui::px(220), gui::px(300)); }
float title_width(float width) { return std::max(width - way_width(width) - gui::px(column_gap), gui::px(60)); }

float title_height(const LessonState& lesson, float width) {
    const float title = gui::wrapped_height(current_step(lesson)->title, gui::theme().title, title_width(width));
    return std::max(title, gui::px(30)) + gui::px(8);
}

void title_row(AppState& state, float width) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float way = way_width(width);
    gui::wrapped(current_step(state.lesson)->title, gui::theme().title, title_width(width), gui::colour::text);
    ImGui::SetCursorScreenPos({at.x + width - way, at.y});
    step_row(state, way);
}

// The step's text in one column or two, the question at its end.
struct Placed {
    gui::TextColumns columns;
    gui::TextEnd question;  // its upper edge
    float height;           // of all
};

Placed placed(const AppState& state, gui::TextColumns columns) {
    const LessonStep& step = *current_step(state.lesson);
    const float question = question_height(state, columns.width, true) + step_sliders_height(step);
    Placed result{columns, gui::rich_text_end(with_live_texts(step.text, state), columns), 0};
    gui::TextEnd& end = result.question;
    result.height = end.column > 0 ? std::max(columns.height, end.y) : end.y;
    if (question == 0) return result;
    if (end.column + 1 < columns.count && end.y + question > columns.height) end = {end.column + 1, 0};
    result.height = std::max(result.height, end.y + question);
    return result;
}

// Two columns if the caption becomes at most a line higher, since short lines are easier to read. Paragraphs of a short text
// are not split between columns if that adds little height; other columns end as evenly as whole lines allow. The height
// includes the answer from the start, so that showing it moves nothing.
Placed place(const AppState& state, float width) {
    const Placed one = placed(state, {.width = width});
    const float half = std::floor((width - gui::px(column_gap)) / 2), line = gui::theme().reading->FontSize * 1.3f;
    if (half < gui::px(least_column)) return one;
    gui::TextColumns columns{.width = half, .gap = gui::px(column_gap), .height = 0, .count = 2};
    const float whole = placed(state, {.width = half}).height;
    std::optional<Placed> apart;
    const std::vector<TextBlock> blocks = with_live_texts(current_step(state.lesson)->text, state);
    for (size_t first = 1; first < blocks.size(); ++first) {
        columns.height = gui::rich_text_end(std::span(blocks).first(first), {.width = half}).y;
        if (const Placed two = placed(state, columns); !apart || two.height < apart->height) apart = two;
    }
    for (columns.height = std::floor(whole / 2); columns.height < whole; columns.height += std::max(line / 4, 1.0f))
        if (const Placed two = placed(state, columns); two.height <= columns.height + 1) {
            const bool is_short = apart && apart->height < 5.5f * line;
            if (is_short && apart->height < std::min(two.height, one.height) + 1.5f * line) return *apart;
            return two.height < one.height + line ? two : one;
        }
    return one;
}

void text_columns(AppState& state, float width) {
    const LessonStep& step = *current_step(state.lesson);
    const Placed place_of = place(state, width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    follow_link(state, gui::rich_text_in(with_live_texts(step.text, state), place_of.columns));
    const auto& [column, y] = place_of.question;
    const float step_right = place_of.columns.width + place_of.columns.gap;
    ImGui::SetCursorScreenPos({at.x + float(column) * step_right, at.y + y + (y > 0 ? gui::px(6) : 0)});
    ImGui::BeginGroup();
    step_sliders(state, place_of.columns.width);
    step_question(state, place_of.columns.width);
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({width, place_of.height});
}

void halo(const PresenterState& presenter) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    if (!ImGui::IsMousePosValid(&at)) return;
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    const float r = gui::px(presenter.pressed ? 16 : 22);
    const gui::Colour light = gui::rgb(0xffd54a);
    draw.AddCircleFilled(at, r, gui::packed(light, presenter.pressed ? 0.34f : 0.20f), 48);
    draw.AddCircle(at, r, gui::packed(gui::rgb(0x000000), 0.45f), 48, gui::px(3));
    draw.AddCircle(at, r, gui::packed(light, 0.95f), 48, gui::px(1.5f));
}

// In the picture's lower right corner, unless a tooltip is there.
void keys(const AppState& state) {
    if (key_hint_left(state.presenter, state.now) < 0) return;
    const KeyHint& hint = state.presenter.key;
    const std::string text = hint.count > 1 ? fmt::format("{}  × {}", hint.text, hint.count) : hint.text;
    ImFont* font = gui::theme().title;
    const float size = font->FontSize * ImGui::GetIO().FontGlobalScale, ratio = gui::theme().pixel_ratio;
    const ImVec2 extent = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str());
    const PixelRect& picture = state.places.picture;
    const float width = extent.x + gui::px(28), height = extent.y + gui::px(16);
    const gui::Box area{float(picture.x) / ratio, float(picture.y) / ratio, float(picture.width) / ratio,
                        float(picture.height) / ratio};
    const gui::TooltipPlace corner = gui::free_corner(area, width, height, gui::px(20), gui::shown_tooltip());
    const ImVec2 low{corner.x, corner.y}, high{low.x + width, low.y + height};
    ImDrawList& draw = *ImGui::GetForegroundDrawList();
    draw.AddRectFilled(low, high, gui::packed(gui::rgb(0x16181a), 0.88f), gui::px(8));
    draw.AddRect(low, high, gui::packed(gui::rgb(0xffffff), 0.25f), gui::px(8), 0, gui::px(1));
    draw.AddText(font, size, {low.x + gui::px(14), low.y + gui::px(8)}, gui::packed(gui::colour::text), text.c_str());
}

// Where the status bar, which says so as well, is not shown: in the picture's upper right corner.
void recording_sign(const AppState& state) {
    const RecordingReport& recording = state.report.recording;
    const int seconds = int(recording.seconds);
    const std::string text =
        fmt::format("{} {}:{:02}", recording.stopped ? "writing…" : "REC", seconds / 60, seconds % 60);
    ImFont* font = gui::theme().small;
    const float size = font->FontSize * ImGui::GetIO().FontGlobalScale, ratio = gui::theme().pixel_ratio;
    const float dot = size * 0.36f, width = font->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x + gui::px(34),
                height = size + gui::px(10);
    const PixelRect& picture = state.places.picture;
    const ImVec2 low{float(picture.x + picture.width) / ratio - width - gui::px(12),
                     float(picture.y) / ratio + gui::px(12)},
        high{low.x + width, low.y + height};
    ImDrawList& draw = *gui::theme().unrecorded;
    draw.AddRectFilled(low, high, gui::packed(gui::colour::panel, 0.88f), gui::px(6));
    draw.AddCircleFilled({low.x + gui::px(14), low.y + height / 2}, dot,
                         gui::packed(recording.stopped ? gui::colour::progress : gui::colour::error), 24);
    draw.AddText(font, size, {low.x + gui::px(24), low.y + gui::px(5)}, gui::packed(gui::colour::text), text.c_str());
    if (gui::ControlLog* log = gui::theme().control_log)
        log->push_back({recording.stopped ? "recording:writing" : "recording", {low.x, low.y, width, height}});
}

}  // namespace

float caption_height(const AppState& state, float width) {
    if (!state.presenter.on || state.lesson.controls || !current_step(state.lesson)) return 0;
    const float inner = width - 2 * gui::px(caption_padding_x);
    const float text = place(state, inner).height + gui::px(4);
    return std::round(title_height(state.lesson, inner) + text + 2 * gui::px(caption_padding_y));
}

// Fonts are measured at the size they are loaded in. What was found stays until the step or the window changes, but for
// becoming smaller, since after that size has changed, the result might be another by a hair.
float presenter_magnification(AppState& state, float width, float height, float display_scale) {
    if (!state.presenter.on) return 1;
    PresenterFit& fit = state.presenter.fit;
    const auto& lesson = state.lesson.lesson;
    constexpr float tall = 1000, most = 1.5f, less = 1.3f, step = 0.1f, spare = 0.97f, least = 0.5f;
    // Where everything is large already, it may become smaller than outside presenter mode.
    const float floor = std::clamp(1 / display_scale, least, 1.0f);
    if (fit.lesson == lesson && fit.step == state.lesson.step && fit.width == width && fit.height == height &&
        fit.display_scale == display_scale) {
        // At its own size the text may be higher than was foreseen from another one.
        const bool at_size = gui::theme().scale == fit.magnification * display_scale;
        if (at_size && fit.magnification > floor && caption_height(state, width) > gui::most_caption * height)
            fit.magnification = std::max(fit.magnification - step, floor);
        return fit.magnification;
    }
    float magnification = height >= tall * display_scale ? most : less;
    if (gui::theme().dense) return magnification;  // it is measured with the fonts of presenter mode, a frame later
    for (; magnification > floor; magnification -= step) {
        const float larger = magnification * display_scale / gui::theme().scale;
        if (caption_height(state, width / larger) * larger <= spare * gui::most_caption * height) break;
    }
    fit = {lesson, state.lesson.step, width, height, display_scale, std::max(magnification, floor)};
    return fit.magnification;
}

bool is_dense(const AppState& state, float height, float display_scale) {
    constexpr float low = 800;  // units
    return !state.presenter.on && height < low * display_scale;
}

void caption(AppState& state, const gui::Box& box) {
    if (box.empty() || !current_step(state.lesson)) return;
    const gui::BoxWindow window("##caption", box,
                                {.padding = ImVec2(gui::px(caption_padding_x), gui::px(caption_padding_y)),
                                 .flags = ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                                          ImGuiWindowFlags_NoScrollbar});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inner = box.width - 2 * gui::px(caption_padding_x), top = title_height(state.lesson, inner);
    title_row(state, inner);
    ImGui::SetCursorScreenPos({at.x, at.y + top});
    // A scroll bar left from another step would narrow the text, which would then need the scroll bar.
    const float height = box.height - 2 * gui::px(caption_padding_y) - top;
    const bool fits = place(state, inner).height <= height;
    ImGui::BeginChild("##caption-text", {inner, height}, false, fits ? ImGuiWindowFlags_NoScrollbar : 0);
    if (!std::exchange(state.lesson.scrolled, true)) ImGui::SetScrollY(0);
    scroll_by_keys(state.ui);
    text_columns(state, fits ? inner : ImGui::GetContentRegionAvail().x);
    ImGui::EndChild();
}

void presenter_overlay(const AppState& state) {
    if (state.report.recording.active && (state.presenter.on || !state.ui.panels)) recording_sign(state);
    if (!state.presenter.on) return;
    halo(state.presenter);
    keys(state);
}

}  // namespace texelscope::panels
