#pragma once
// Where the panes are.

#include <optional>
#include <vector>

#include "app/state/app_state.h"

namespace texelscope {

// The panes in view, by index: all of them, the active one, or two under a wipe.
std::vector<int> panes_in_view(const AppState& state);

// The pane that readouts refer to: under the cursor, or else the active one. Keys and the title refer to the active one.
int focused_pane(const AppState& state);

// The area of a pane in view, framebuffer pixels. All panes in view have the same size; under a wipe, the same area.
PixelRect pane_rect(const AppState& state, int pane);

// Its visible part: under a wipe, one side of the divider.
PixelRect pane_clip(const AppState& state, int pane);

// Size of its picture; empty if it is not in view. Without `pane`: of the focused one.
Extent output_extent(const AppState& state, std::optional<int> pane = {});

// The position of the wipe's divider: columns (rows) of the picture that show A.
int wipe_at(const AppState& state);

}  // namespace texelscope
