#pragma once
// Drafts: if a CPU is too slow to antialias each frame, a moving picture is not antialiased.

#include "app/state/app_state.h"
#include "app/state/wake_up.h"

namespace texelscope {

// Decides whether the frame at `state.now` is a draft. Call once per frame, when its view is known.
void update_draft(AppState& state);

// Asks for the frame that replaces the draft.
void wake_for_draft(const AppState& state, WakeUp& wake_up);

}  // namespace texelscope
