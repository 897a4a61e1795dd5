#pragma once
// Parts of what is drawn over the picture. Internal to this folder.

#include <imgui.h>

#include "app/state/app_state.h"

namespace texelscope::panels {

// Framebuffer pixels to window coordinates.
ImVec2 on_window(double x, double y);

// The label chips of all panes in view, in the upper left corners of their visible parts.
void draw_chips(const AppState& state, ImDrawList& draw);

}  // namespace texelscope::panels
