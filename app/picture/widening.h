#pragma once
// How far antialiasing widens a pane's weight function, and what that costs.

#include <optional>

#include "app/state/app_state.h"
#include "gpu/backend/request.h"

namespace texelscope {

// How the engine reads the pane's image for what is on the screen. Without `pane`: the focused one.
ReadPlan shown_reading(const AppState& state, std::optional<int> pane = {});

// Whether any pane in view is widened.
bool any_widened(const AppState& state);

// Average taps per pixel, both axes together, if the weight function is widened, but not locally.
double widened_taps(const MethodInfo& method, const ReadPlan& reading, bool signal);

// Fetches per pixel on a path, all axes together, if nothing is widened; of a polar method an average; 0 for a kernel of
// one's own.
int fetches(const MethodInfo& method, FetchPath path, bool signal);

}  // namespace texelscope
