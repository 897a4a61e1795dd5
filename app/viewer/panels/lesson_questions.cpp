// What a step of a lesson asks of its reader: its sliders, its question with replies, and the answer.

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/editing/actions.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float reply_gap = 6;

// The height of a button or field, by the fonts as they are now: ImGui's own is that of the last frame.
float field_height() {
    return gui::theme().text->FontSize * ImGui::GetIO().FontGlobalScale + 2 * ImGui::GetStyle().FramePadding.y;
}

// The room for a choice's mark at the left.
float choice_inset() { return gui::px(26); }

float choice_height(const LessonReply& reply, float width) {
    const TextBlock text{TextBlock::Kind::paragraph, reply.text};
    return gui::rich_text_height(std::span(&text, 1), width - choice_inset()) + gui::px(reply_gap);
}

TextBlock hint_of(const LessonStep& step, const LessonState& lesson) {
    using Style = TextSpan::Style;
    if (!lesson.replied)
        return {TextBlock::Kind::paragraph, {{Style::plain, "This is no number. Write it as 0.5 or 1/2."}}};
    TextBlock hint{TextBlock::Kind::paragraph, {{Style::bold, "Not yet."}}};
    if (lesson.chosen < 0) return hint;
    const auto& spans = step.replies[size_t(lesson.chosen)].hint;
    if (!spans.empty()) hint.spans.push_back({Style::plain, " "});
    hint.spans.insert(hint.spans.end(), spans.begin(), spans.end());
    return hint;
}

bool is_right(const LessonStep& step, const LessonState& lesson) {
    return lesson.replied && lesson.chosen >= 0 && step.replies[size_t(lesson.chosen)].right;
}

bool shows_hint(const LessonStep& step, const LessonState& lesson) {
    if (lesson.answer) return false;
    return lesson.replied ? !is_right(step, lesson) : step.typed && !lesson.typed.empty();
}

void choice(AppState& state, int index, float width) {
    const LessonStep& step = *current_step(state.lesson);
    const LessonReply& reply = step.replies[size_t(index)];
    const bool chosen = state.lesson.replied && state.lesson.chosen == index;
    const bool shown_right = reply.right && (chosen || state.lesson.answer);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = choice_height(reply, width);
    ImGui::PushID(index);
    if (ImGui::InvisibleButton("##choice", {width, height})) choose_reply(state, index);
    ImGui::PopID();
    gui::note(fmt::format("learn:choice-{}", index + 1));
    const bool hovered = ImGui::IsItemHovered();
    const ImVec2 below = ImGui::GetCursorScreenPos();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (hovered)
        draw.AddRectFilled(at, {at.x + width, at.y + height}, gui::packed(gui::rgb(0xffffff), 0.05f), gui::px(4));
    const float r = gui::px(6), line = gui::theme().reading->FontSize * ImGui::GetIO().FontGlobalScale * 1.28f;
    const ImVec2 middle{at.x + gui::px(10), at.y + gui::px(reply_gap) / 2 + line / 2};
    const gui::Colour& ink = shown_right ? gui::rgb(0x2fd0a5) : chosen ? gui::colour::warning : gui::colour::secondary;
    draw.AddCircle(middle, r, gui::packed(ink), 0, gui::px(1.5f));
    if (chosen || shown_right) draw.AddCircleFilled(middle, r - gui::px(3), gui::packed(ink));
    ImGui::SetCursorScreenPos({at.x + choice_inset(), at.y + gui::px(reply_gap) / 2});
    const TextBlock text{TextBlock::Kind::paragraph, reply.text};
    gui::rich_text(std::span(&text, 1), width - choice_inset(), hovered ? gui::rgb(0xffffff) : gui::colour::text);
    ImGui::SetCursorScreenPos(below);
}

void number_field(AppState& state) {
    const LessonStep& step = *current_step(state.lesson);
    ImGui::SetNextItemWidth(gui::px(120));
    const auto take = [&](const std::string& text) {
        type_reply(state, text);
        return true;
    };
    gui::input_text("##number", state.lesson.typed, take);
    gui::note("learn:number");
    gui::tooltip("Type a number and press Enter.");
    if (!step.replies[0].unit.empty()) {
        ImGui::SameLine(0, gui::px(6));
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(step.replies[0].unit.c_str());
    }
}

// A picture that the reader may replace: by the one looked at before the lesson, or one that is opened or dropped now.
void picture_row(AppState& state, const LessonSlider& slider, float width) {
    const std::string before = picture_before(state.lesson);
    const bool own = !state.lesson.own_picture.empty();
    const char* const text = own ? "Use the lesson's picture" : "Use my picture";
    const auto width_of = [](const std::string& part) { return ImGui::CalcTextSize(part.c_str()).x; };
    const float button = width_of(text) + 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::Button(text)) {
        if (own) use_picture(state, "");
        else if (!before.empty()) use_picture(state, before);
        else find_action("file.open")->perform(state);
    }
    gui::note("learn:picture");
    gui::tooltip(own ? "Shows the step with its own picture again."
                 : before.empty()
                     ? "Opens a picture of yours, with which the step is shown. You can also drop one on the window."
                     : "Shows the step with the picture that you looked at before the lesson. You can also open "
                       "or drop another one.");
    ImGui::SameLine(0, gui::px(10));
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(gui::cut(live_text(state, slider.name), width - button - gui::px(12), width_of).c_str());
}

}  // namespace

void step_sliders(AppState& state, float width) {
    const LessonStep& step = *current_step(state.lesson);
    float name = gui::px(64);
    ImGui::PushFont(gui::theme().reading_italic);
    for (const LessonSlider& slider : step.sliders)
        if (slider.picture.empty()) name = std::max(name, ImGui::CalcTextSize(slider.name.c_str()).x + gui::px(10));
    ImGui::PopFont();
    for (size_t i = 0; i < std::min(step.sliders.size(), state.lesson.sliders.size()); ++i) {
        const LessonSlider& slider = step.sliders[i];
        if (!slider.picture.empty()) {
            picture_row(state, slider, width);
            continue;
        }
        ImGui::AlignTextToFramePadding();
        ImGui::PushFont(gui::theme().reading_italic);
        ImGui::TextUnformatted(slider.name.c_str());
        ImGui::PopFont();
        ImGui::SameLine(name);
        ImGui::SetNextItemWidth(width - name);
        auto value = float(state.lesson.sliders[i]);
        const std::string id = "##slider-" + slider.name;
        const bool whole = slider.step >= 1;
        if (gui::slider_float(id.c_str(), value, float(slider.low), float(slider.high), whole ? "%.0f" : "%.3g")) {
            double now = std::clamp(double(value), slider.low, slider.high);
            if (slider.step > 0) now = slider.low + std::round((now - slider.low) / slider.step) * slider.step;
            else now = std::round(now * 1e4) / 1e4;
            if (now != std::exchange(state.lesson.sliders[i], now))
                state.tasks.push_back(task::ShowStep{state.lesson.step, true});
        }
        gui::note("learn:slider-" + slider.name);
        gui::tooltip(fmt::format("From {:g} to {:g}. Ctrl + click to type a number.", slider.low, slider.high));
    }
}

float step_sliders_height(const LessonStep& step) { return float(step.sliders.size()) * (field_height() + gui::px(8)); }

float question_height(const AppState& state, float width, bool answered) {
    const LessonStep& step = *current_step(state.lesson);
    if (step.question.empty()) return 0;
    const float inner = width - gui::px(26);
    float height = gui::rich_text_height(step.question, inner) + gui::px(52);
    if (step.typed) height += field_height() + gui::px(8);
    else
        for (const LessonReply& reply : step.replies) height += choice_height(reply, inner);
    // Space for the longest hint, which the answer replaces.
    float hint = 0;
    for (const LessonReply& reply : step.replies) {
        const TextBlock text{TextBlock::Kind::paragraph, reply.hint};
        if (!reply.hint.empty()) hint = std::max(hint, gui::rich_text_height(std::span(&text, 1), inner) + gui::px(8));
    }
    const float asking = hint + field_height();
    return height + (answered ? std::max(gui::rich_text_height(step.answer, inner), asking) : asking);
}

void step_question(AppState& state, float width) {
    LessonState& lesson = state.lesson;
    const LessonStep& step = *current_step(lesson);
    if (step.question.empty()) return;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float inset = gui::px(14), inner = width - inset - gui::px(12), gap = gui::px(10);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.ChannelsSplit(2);
    draw.ChannelsSetCurrent(1);
    ImGui::BeginGroup();
    ImGui::Dummy({0, gap - ImGui::GetStyle().ItemSpacing.y});
    ImGui::Indent(inset);
    follow_link(state, gui::rich_text(with_live_texts(step.question, state), inner));
    ImGui::Dummy({0, gui::px(2)});
    if (step.typed) number_field(state);
    else
        for (int i = 0; i < int(step.replies.size()); ++i) choice(state, i, inner);
    if (shows_hint(step, lesson)) {
        const TextBlock hint = hint_of(step, lesson);
        gui::rich_text(std::span(&hint, 1), inner, gui::colour::warning);
    }
    if (lesson.answer) {
        follow_link(state, gui::rich_text(with_live_texts(step.answer, state), inner, gui::rgb(0x7fe0c4)));
    } else {
        if (ImGui::Button("Show the answer")) toggle_answer(state);
        gui::tooltip("Think first. Press Q to show or hide the answer.");
        gui::note("learn.answer");
    }
    ImGui::Unindent(inset);
    ImGui::Dummy({0, gap - ImGui::GetStyle().ItemSpacing.y});
    ImGui::EndGroup();
    gui::note("lesson:question");
    const float end = ImGui::GetItemRectMax().y;
    // Whenever there is an answer or another hint. For more than a frame: a scroll bar that appears with it makes it narrower,
    // and with that longer.
    constexpr int frames_to_settle = 3;
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    int& said = *storage.GetIntRef(ImGui::GetID("##said"));
    const int says = lesson.answer ? 1 : lesson.replied && shows_hint(step, lesson) ? 3 + lesson.chosen : 0;
    const bool says_more = std::exchange(said, says) != says && says > 0;
    const int left = says_more ? frames_to_settle : storage.GetInt(ImGui::GetID("##settles"));
    if (left > 0) ImGui::SetScrollHereY(1);
    storage.SetInt(ImGui::GetID("##settles"), std::max(left - 1, 0));
    draw.ChannelsSetCurrent(0);
    const gui::Colour ground = gui::rgb(0x2fd0a5);
    draw.AddRectFilled(at, {at.x + width, end}, gui::packed(ground, 0.08f), gui::px(4));
    draw.AddRectFilled(at, {at.x + gui::px(3), end}, gui::packed(ground), gui::px(2));
    draw.ChannelsMerge();
}

}  // namespace texelscope::panels
