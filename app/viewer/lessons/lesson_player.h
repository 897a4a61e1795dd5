#pragma once
// Going through a lesson: pure functions of the state. What needs images is a request, done between two frames.

#include <memory>

#include "app/viewer/lessons/lesson.h"
#include "app/state/app_state.h"

namespace texelscope {

// The step the reader is at; null where no lesson is open.
const LessonStep* current_step(const AppState& state);

bool has_next_step(const AppState& state);
bool has_previous_step(const AppState& state);

// Asks for the step; beyond the lesson's ends nothing happens.
void ask_for_step(AppState& state, int step);

// The reader has changed what the step put on the screen.
bool has_left_step(const AppState& state);

// The lesson after this one among those of the program; null after the last, and for one from a file.
const Lesson* next_lesson(const AppState& state);

// Opens a lesson at no step yet; what is shown is kept for leave_lesson where no other lesson was open.
void begin_lesson(AppState& state, std::shared_ptr<const Lesson> lesson);

// The step whose state belongs on the screen at `step`, coming from `from` (−1: from elsewhere): its own, and where it
// has none the nearest before it. −1: what is shown stays.
int step_to_show(const Lesson& lesson, int step, int from);

// Goes to a step (the nearest there is) and puts its state in place. True where there is one, whose documents are still
// to be shown; then note_shown.
bool enter_step(AppState& state, int step);

// The documents of the scene that a step put in place are there: from now on changes are the reader's. The view glides
// there from `before` where that was a view of the same image.
struct ViewBefore {
    std::string source;
    View view;
};
ViewBefore view_before(const AppState& state);
void note_shown(AppState& state, const ViewBefore& before);

// Closes the lesson. True where what was shown before it is in place again, and its documents are still to be shown.
bool leave_lesson(AppState& state);

}  // namespace texelscope
