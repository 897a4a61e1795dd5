// The lesson at the left, in place of the controls: the step's text, its question, and the navigation. Or the list of
// all lessons.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float padding_x = 20;

// Buttons for list, text and controls, and for leaving.
void header(LessonState& lesson, Tasks& tasks) {
    const float button = ImGui::GetFrameHeight(), gap = gui::px(8);
    ImGui::BeginChild("##which", {ImGui::GetContentRegionAvail().x - button - gap, button}, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const gui::Segment segments[] = {{"Lessons", "All lessons with their summaries."},
                                     {"Text", "The lesson's text.", lesson.lesson != nullptr},
                                     {"Controls", "The controls, to experiment. Key V."}};
    const int clicked = gui::segmented("lesson", segments, lesson.list ? 0 : lesson.controls ? 2 : 1);
    ImGui::EndChild();
    if (clicked >= 0) {
        lesson.list = clicked == 0;
        lesson.controls = clicked == 2 && lesson.lesson;
    }
    ImGui::SameLine(0, gap);
    if (gui::close_button("##leave", button)) {
        lesson.list = false;
        if (lesson.lesson) tasks.push_back(task::LeaveLesson{});
    }
    gui::note("learn.leave");
    gui::tooltip(lesson.lesson ? "Leave the lesson and restore what was shown before." : "Close the list.");
}

std::string source_of(const Lesson& lesson) { return lesson.path.empty() ? lesson.name : lesson.path.string(); }

void list_entry(AppState& state, const LessonEntry& lesson, int number, float width) {
    const float inset = gui::px(36), inner = width - inset - gui::px(8), gap = gui::px(10);
    ImFont* font = gui::theme().reading_bold;
    const float title = gui::wrapped_height(lesson.title, font, inner);
    const float height = title + gui::wrapped_height(lesson.summary, gui::theme().text, inner) + gui::px(4) + 2 * gap;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(number);
    if (ImGui::InvisibleButton("##lesson", {width, height})) state.tasks.push_back(task::OpenLesson{lesson.source});
    ImGui::PopID();
    gui::note("lesson:" + lesson.source);
    const ImVec2 below = ImGui::GetCursorScreenPos();
    const bool open = state.lesson.lesson && source_of(*state.lesson.lesson) == lesson.source;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (open || ImGui::IsItemHovered())
        draw.AddRectFilled(at, {at.x + width, at.y + height},
                           open ? gui::packed(gui::colour::accent, 0.16f) : gui::packed(gui::rgb(0xffffff), 0.05f),
                           gui::px(6));
    const std::string figure = std::to_string(number);
    draw.AddText(gui::theme().mono, ImGui::GetFontSize(), {at.x + gui::px(8), at.y + gap + gui::px(1)},
                 gui::packed(gui::colour::accent), figure.c_str());
    ImGui::SetCursorScreenPos({at.x + inset, at.y + gap});
    gui::wrapped(lesson.title, font, inner, gui::colour::text);
    ImGui::SetCursorScreenPos({at.x + inset, at.y + gap + title + gui::px(4)});
    gui::wrapped(lesson.summary, gui::theme().text, inner, gui::colour::secondary);
    ImGui::SetCursorScreenPos(below);
}

// " · 2 of 3 questions answered"; nothing while none is.
std::string answered_words(const Preferences& kept, const Lesson& lesson) {
    int right = 0, asked = 0;
    for (size_t i = 0; i < lesson.steps.size(); ++i) {
        if (lesson.steps[i].replies.empty()) continue;
        const auto found = kept.answered.find(answer_key(lesson, int(i)));
        ++asked;
        if (found != kept.answered.end() && found->second > 0) ++right;
    }
    return right == 0 ? "" : fmt::format(" · {} of {} questions answered", right, asked);
}

void list(AppState& state, float width) {
    int number = 0;
    for (const Lesson& lesson : all_lessons())
        list_entry(state,
                   {source_of(lesson), lesson.title, plain_text(lesson.summary) + answered_words(state.ui, lesson)},
                   ++number, width);
    const OwnLessons& own = state.own_lessons;
    if (own.folder.empty()) return;
    ImGui::Dummy({0, gui::px(8)});
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextUnformatted("Your own lessons");
    ImGui::PopFont();
    for (const LessonEntry& lesson : own.lessons) list_entry(state, lesson, ++number, width);
    for (const std::string& problem : own.problems)
        gui::wrapped(problem, gui::theme().text, width, gui::colour::warning);
    gui::wrapped(fmt::format("Lessons (.md) in {} are listed here.", own.folder), gui::theme().text, width,
                 gui::colour::secondary);
}

// What the lesson is for, how long it takes, what should be known before, and what it draws on.
std::string head_words(const Lesson& lesson) {
    std::vector<std::string> known, rows;
    for (const std::string& name : lesson.after) {
        const auto all = all_lessons();
        const auto found = std::ranges::find(all, name, &Lesson::name);
        known.push_back(found == all.end() ? name : found->title);
    }
    if (!lesson.goal.empty()) rows.push_back("Goal: " + lesson.goal);
    if (lesson.minutes > 0) rows.push_back(fmt::format("{} minutes", lesson.minutes));
    if (!known.empty()) rows.push_back(fmt::format("After: {}", fmt::join(known, ", ")));
    for (const auto& source : lesson.sources) {
        const TextBlock block{TextBlock::Kind::paragraph, source};
        rows.push_back(plain_text(std::span(&block, 1)));
    }
    return fmt::format("{}", fmt::join(rows, "\n"));
}

}  // namespace

void follow_link(AppState& state, const std::string& target) {
    if (target.empty()) return;
    const LinkTarget place = parse_target(target);
    if (place.method) choose_method(state.scene, *place.method);
    else if (!place.term && place.lesson.empty()) ask_for_step(state.lesson, state.tasks, place.step);
    else if (!place.term) state.tasks.push_back(task::OpenLesson{place.lesson, place.step});
}

namespace {

void step_text(AppState& state, float width) {
    const LessonState& open = state.lesson;
    const LessonStep& step = *current_step(open);
    const Lesson& lesson = *open.lesson;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(8), gui::px(8)));
    const std::string minutes =
        open.step == 0 && lesson.minutes > 0 ? fmt::format(" · {}\u00a0min", lesson.minutes) : "";
    gui::wrapped(
        fmt::format("{} ·\u00a0{}\u00a0of\u00a0{}{}", lesson.title, open.step + 1, lesson.steps.size(), minutes),
        gui::theme().text, width, gui::colour::secondary);
    gui::tooltip(head_words(lesson));
    gui::wrapped(step.title, gui::theme().title, width, gui::colour::text);
    ImGui::Dummy({0, 0});
    follow_link(state, gui::rich_text(with_live_texts(step.text, state), width));
    if (!step.sliders.empty()) ImGui::Dummy({0, gui::px(2)});
    step_sliders(state, width);
    if (!step.question.empty()) ImGui::Dummy({0, gui::px(6)});
    step_question(state, width);
    ImGui::PopStyleVar();
}

// Below the text, always in view.
float footer_height(const AppState& state) { return gui::px(has_left_step(state) ? 94 : 58); }

void footer(AppState& state, float width) {
    if (has_left_step(state)) {
        ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::warning));
        if (ImGui::Button("Return to the step", {width, gui::px(28)}))
            ask_for_step(state.lesson, state.tasks, state.lesson.step);
        ImGui::PopStyleColor();
        gui::tooltip("Restore the step's original state. Key Backspace.");
        gui::note("learn.return");
        ImGui::Dummy({0, 0});
    }
    step_row(state, width);
}

constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;

void begin_part(const char* name, const gui::Box& box, float padding_y) {
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(padding_x), gui::px(padding_y)));
    ImGui::Begin(name, nullptr, fixed);
}

void end_part(const gui::Box& box) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddLine({box.x + box.width - 0.5f, box.y}, {box.x + box.width - 0.5f, box.y + box.height},
                 gui::packed(gui::rgb(0x18191b)));
    ImGui::End();
    ImGui::PopStyleVar(3);
}

// The scrolling part: the step's text, from its top if the step is new, or the list.
void body(AppState& state, const gui::Box& box) {
    begin_part("##lesson", box, 8);
    ImGui::BeginChild("##text", {0, 0});
    if (!std::exchange(state.lesson.scrolled, true)) ImGui::SetScrollY(0);
    scroll_by_keys(state.ui);
    const float width = ImGui::GetContentRegionAvail().x - gui::px(4);
    if (state.lesson.list) list(state, width);
    else if (current_step(state.lesson)) step_text(state, width);
    ImGui::EndChild();
    end_part(box);
}

}  // namespace

bool shows_lesson_panel(const LessonState& lesson) { return lesson.list || lesson.lesson; }

void lesson_panel(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    const bool playing = current_step(state.lesson) && !state.lesson.list;
    const float top = ImGui::GetFrameHeight() + gui::px(20), bottom = playing ? footer_height(state) : 0;
    const gui::Box head{box.x, box.y, box.width, top};
    const gui::Box middle{box.x, box.y + top, box.width, std::max(box.height - top - bottom, 0.0f)};
    const gui::Box foot{box.x, box.y + box.height - bottom, box.width, bottom};
    begin_part("##lesson-head", head, 12);
    header(state.lesson, state.tasks);
    end_part(head);
    if (state.lesson.controls && !state.lesson.list) side_panel(state, middle);
    else body(state, middle);
    if (!playing) return;
    begin_part("##lesson-foot", foot, 12);
    ImGui::GetWindowDrawList()->AddLine({foot.x, foot.y}, {foot.x + foot.width, foot.y},
                                        gui::packed(gui::rgb(0x18191b)));
    footer(state, ImGui::GetContentRegionAvail().x);
    end_part(foot);
}

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
        if (ImGui::InvisibleButton("##dot", {pitch, height})) ask_for_step(state.lesson, state.tasks, i);
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
    run_button(state, has_next_step(state.lesson) || !next_lesson(state.lesson) ? "Next" : "Continue", "learn.next",
               true);
}

void scroll_by_keys(const UiState& ui) {
    if (!ImGui::GetIO().KeyAlt || ui.dialogs.keyboard_owner()) return;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)) ? 1.0f : 0.0f; };
    const float way = pressed(ImGuiKey_DownArrow) - pressed(ImGuiKey_UpArrow);
    if (way != 0) ImGui::SetScrollY(ImGui::GetScrollY() + way * 4 * gui::theme().reading->FontSize);
}

}  // namespace texelscope::panels
