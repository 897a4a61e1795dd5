#pragma once
// Going to a place in the picture that is known by its coordinates.

#include <string>
#include <string_view>

#include "app/state/app_state.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope {

// Moves the active pane's view so that a pixel in the middle of what is seen of it reads exactly this point, in samples of the
// pane's image and before any warp. The cursor is put on that pixel, and its taps are listed. Nothing without a picture.
void go_to(AppState& state, Point p);

// "120.5 80.25", also with a comma, a semicolon or brackets; of a signal "120.5".
TypedCommand position_command(const AppState& state, std::string_view text);

// The status bar's coordinates become a field, which holds those of the cursor, or else of the middle of the view.
void type_position(AppState& state);

}  // namespace texelscope
