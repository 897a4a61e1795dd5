#pragma once
// The progress of what runs beside the window. Internal to this folder.

#include "app/state/app_state.h"

namespace texelscope::panels {

// A bar with a button that cancels, and below it what is being done.
void background_progress(AppState& state);

}  // namespace texelscope::panels
