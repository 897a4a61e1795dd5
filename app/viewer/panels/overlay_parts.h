#pragma once
// Parts of what is drawn over the picture. Internal to this folder.

#include <imgui.h>

#include "app/state/app_state.h"

namespace texelscope::panels {

// Framebuffer pixels to window coordinates.
ImVec2 on_window(double x, double y);

// Where something of this size begins in the lower left corner of an area, `taken` above its lower edge; above messages, the bar of
// what is under way, and minimap if those are in the way. But for the area, all in window coordinates.
ImVec2 in_lower_left(const AppState& state, const PixelRect& area, ImVec2 size, float taken);

// Whether a difference is to be seen in the pane.
bool has_difference(const AppState& state, int pane);

// What labels leave it to the legend to say: what their figures are against, or that they show values instead.
struct LeftToLegend {
    bool figures = false, values = false;
};

// The label chips of all panes in view, in the upper left corners of their visible parts.
LeftToLegend draw_chips(const AppState& state, ImDrawList& draw);

// The legend in a lower left corner, of the picture area or of the first pane that shows a difference if others do not:
// the colours of differences, what these and the figures are against. `taken`: window coordinates of that corner's height
// that something else has.
void comparison_legend(const AppState& state, ImDrawList& draw, LeftToLegend left, float taken);

// In the lower left corner: how much of the picture is still to become sharper. Returns what is `taken` then.
float sharpening_sign(const AppState& state, ImDrawList& draw, float taken);

// The sign of a picture that is being read, once that takes longer than a moment.
void loading_sign(const AppState& state, ImDrawList& draw);

// The signs in panes that are being prepared, likewise.
void preparing_signs(const AppState& state, ImDrawList& draw);

}  // namespace texelscope::panels
