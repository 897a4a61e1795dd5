#pragma once
// What the lesson's panel and the presenter's caption have in common. Internal to this folder.

#include <imgui.h>

#include "app/state.h"

namespace texelscope::panels {

// A small arrow head, pointing right (+1) or left (−1).
void arrow_head(ImDrawList& draw, ImVec2 middle, float direction, ImU32 ink);

// Back, a dot for each step, Next, in one row of this width.
void step_row(AppState& state, float width);

// The step's question, and its answer or the button that shows it.
void question(AppState& state, float width);

}  // namespace texelscope::panels
