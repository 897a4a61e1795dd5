#pragma once
// Lines of the current image in a pane: which part of one it shows, and where that lies on its own image.

#include <optional>

#include "app/state/app_state.h"

namespace texelscope {

// In the terms of the profile's `at`; all of the line where the pane shows nothing of it. A warp is left aside.
PlotZoom visible_part(const AppState& state, int pane, const ProfileReport& line);

// From the sample space of the current image to that of the pane's, as its linked view has them over each other; empty
// where they are the same.
std::optional<Affine> to_pane(const AppState& state, int pane);

}  // namespace texelscope
