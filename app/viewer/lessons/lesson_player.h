#pragma once
// Going through a lesson: pure functions of the state. Work that needs images is requested, done between two frames.

#include <memory>

#include "app/state/app_state.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope {

// The reader's current step; null if no lesson is open.
const LessonStep* current_step(const AppState& state);

bool has_next_step(const AppState& state);
bool has_previous_step(const AppState& state);

// Requests the step; does nothing beyond the lesson's ends.
void ask_for_step(AppState& state, int step);

// Whether the reader has changed the step's state.
bool has_left_step(const AppState& state);

// The built-in lesson after this one; null after the last, and for one from a file.
const Lesson* next_lesson(const AppState& state);

// Opens a lesson, at no step yet; saves the current state for leave_lesson if no other lesson was open.
void begin_lesson(AppState& state, std::shared_ptr<const Lesson> lesson);

// The step whose state belongs on the screen at `step`, coming from `from` (−1: from elsewhere): the step itself, or if
// it has no state, the nearest one before it. −1: the screen stays as it is.
int step_to_show(const Lesson& lesson, int step, int from);

// Goes to a step (the nearest existing one) and sets its state. True if there is a state, whose documents must still
// be shown; then call note_shown.
bool enter_step(AppState& state, int step);

// Call when the documents of the step's scene exist: from now on, changes are the reader's. The view is animated from
// `before` if that was a view of the same image.
struct ViewBefore {
    std::string source;
    View view;
};
ViewBefore view_before(const AppState& state);
void note_shown(AppState& state, const ViewBefore& before);

// Closes the lesson. True if the earlier state is restored and its documents must still be shown.
bool leave_lesson(AppState& state);

}  // namespace texelscope
