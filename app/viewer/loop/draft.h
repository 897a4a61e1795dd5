#pragma once
// Drafts: where a CPU takes too long to antialias each frame, the picture goes without while it moves.

#include "app/state/app_state.h"

namespace texelscope {

// Decides whether the frame at `state.now` is a draft. Call once a frame, when its view is known.
void update_draft(AppState& state);

// Seconds until a draft gives way to the whole picture; below 0 where there is none.
double draft_patience(const AppState& state);

}  // namespace texelscope
