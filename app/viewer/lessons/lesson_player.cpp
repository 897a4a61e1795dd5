#include "app/viewer/lessons/lesson_player.h"

#include <algorithm>

#include "app/state/pane_views.h"

namespace texelscope {

const LessonStep* current_step(const AppState& state) {
    const LessonState& lesson = state.lesson;
    if (!lesson.lesson || lesson.step < 0 || size_t(lesson.step) >= lesson.lesson->steps.size()) return nullptr;
    return &lesson.lesson->steps[size_t(lesson.step)];
}

bool has_next_step(const AppState& state) {
    return current_step(state) && size_t(state.lesson.step) + 1 < state.lesson.lesson->steps.size();
}

bool has_previous_step(const AppState& state) { return current_step(state) && state.lesson.step > 0; }

void ask_for_step(AppState& state, int step) {
    if (state.lesson.lesson && step >= 0 && size_t(step) < state.lesson.lesson->steps.size())
        state.tasks.push_back(task::ShowStep{step});
}

bool has_left_step(const AppState& state) {
    return current_step(state) && state.lesson.shown && !still_shows(state, *state.lesson.shown);
}

const Lesson* next_lesson(const AppState& state) {
    const auto& now = state.lesson.lesson;
    if (!now || !now->path.empty()) return nullptr;
    const auto all = all_lessons();
    for (size_t i = 0; i + 1 < all.size(); ++i)
        if (all[i].name == now->name) return &all[i + 1];
    return nullptr;
}

void begin_lesson(AppState& state, std::shared_ptr<const Lesson> lesson) {
    LessonState& now = state.lesson;
    if (!now.lesson) now.before = std::make_shared<const Session>(session_of(state));
    now.lesson = std::move(lesson);
    now.step = -1;
    now.shown.reset();
    now.list = now.controls = false;
}

int step_to_show(const Lesson& lesson, int step, int from) {
    if (!lesson.steps[size_t(step)].state && from >= 0 && step == from + 1) return -1;
    while (step >= 0 && !lesson.steps[size_t(step)].state) --step;
    return step;
}

bool enter_step(AppState& state, int step) {
    LessonState& now = state.lesson;
    const Lesson& lesson = *now.lesson;
    step = std::clamp(step, 0, int(lesson.steps.size()) - 1);
    const int shown = step_to_show(lesson, step, now.step);
    now.step = step;
    now.answer = now.scrolled = now.list = now.controls = false;
    if (shown >= 0) {
        const bool panels = state.ui.panels;
        restore(state, *lesson.steps[size_t(shown)].state);
        state.ui.panels = panels;  // the text is in a caption
    }
    const bool has_source = !lesson.steps[size_t(step)].sources.empty();
    Dock& dock = state.ui.dock;
    if (has_source && dock == Dock::none) dock = Dock::source;
    if (!has_source && dock == Dock::source) dock = Dock::none;
    return shown >= 0;
}

ViewBefore view_before(const AppState& state) {
    const Document* document = state.scene.document();
    return document && document->image ? ViewBefore{document->source, shown_view(state)} : ViewBefore{};
}

void note_shown(AppState& state, const ViewBefore& before) {
    state.lesson.shown = std::make_shared<const Session>(session_of(state));
    const Document* document = state.scene.document();
    if (state.ui.animate && document && document->source == before.source)
        state.transition = Transition{before.view, state.now};
}

bool leave_lesson(AppState& state) {
    const auto before = state.lesson.before;
    const bool list = state.lesson.list;
    state.lesson = {};
    state.lesson.list = list;
    if (state.ui.dock == Dock::source) state.ui.dock = Dock::none;
    if (!before) return false;
    const bool panels = state.ui.panels;
    restore(state, *before);
    state.ui.panels = panels;
    return true;
}

}  // namespace texelscope
