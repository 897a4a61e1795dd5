#pragma once
// Shared parts of the lesson's panel and the presenter's caption. Internal to this folder.

#include "app/state/app_state.h"

namespace texelscope::panels {

// Back, a dot for each step, Next, in one row of this width.
void step_row(AppState& state, float width);

// Alt with the arrows up and down scrolls the window of the step's text, unless a dialog is open.
void scroll_by_keys(const AppState& state);

// The step's question, and its answer or the button that shows it.
void question(AppState& state, float width);

}  // namespace texelscope::panels
