#pragma once
// The progress of what runs in the background. Internal to this folder.

#include "app/state/app_state.h"

namespace texelscope::panels {

// A bar that says what is being done, with a button that cancels.
void background_progress(AppState& state);

}  // namespace texelscope::panels
