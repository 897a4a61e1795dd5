#pragma once
// Drafts: if a CPU is too slow to antialias each frame, a moving picture is not antialiased.

#include "app/state/app_state.h"

namespace texelscope {

// Decides whether the frame at `state.now` is a draft. Call once per frame, when its view is known.
void update_draft(AppState& state);

// Seconds until a draft is replaced by the full picture; below 0 if there is none.
double draft_patience(const AppState& state);

}  // namespace texelscope
