#pragma once
// Parts of what is drawn over the picture. Internal to this folder.

#include <imgui.h>

#include "app/state/app_state.h"

namespace texelscope::panels {

// Framebuffer pixels to window coordinates.
ImVec2 on_window(double x, double y);

// Whether a difference is to be seen in the pane.
bool has_difference(const AppState& state, int pane);

// The label chips of all panes in view, in the upper left corners of their visible parts. True if they leave it to the
// legend to name what their figures are against.
bool draw_chips(const AppState& state, ImDrawList& draw);

// The legend in the lower left corner: the colours of differences, and what these and, if it `names_figures`, the figures
// are against. `taken`: window coordinates of that corner's height that something else has.
void comparison_legend(const AppState& state, ImDrawList& draw, bool names_figures, float taken);

// The sign of a picture that is being read, once that takes longer than a moment.
void loading_sign(const AppState& state, ImDrawList& draw);

// The signs in panes that are being prepared, likewise.
void preparing_signs(const AppState& state, ImDrawList& draw);

}  // namespace texelscope::panels
