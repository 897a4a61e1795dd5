#pragma once
// Lines of the current image in a pane: the part that the pane shows, and its position on the pane's own image.

#include <optional>

#include "app/state/app_state.h"

namespace texelscope {

// In units of the profile's `at`; the whole line if the pane shows nothing of it. Ignores a warp.
PlotZoom visible_part(const AppState& state, int pane, const ProfileReport& line);

// From the sample space of the current image to that of the pane's image, as its linked view relates them; empty if
// they are the same.
std::optional<Affine> to_pane(const AppState& state, int pane);

}  // namespace texelscope
