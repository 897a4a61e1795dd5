#pragma once
// Edits for inspecting: the open plot, the line of the profile, the display of values.

#include "app/state/app_state.h"

namespace texelscope {

// Opens the tab of the dock; closes the dock if that tab is already open.
void toggle_dock(AppState& state, Dock dock);

// Outlines the taps on the picture and lists them, or stops doing both.
void toggle_taps(AppState& state);

// The profile keeps its line until another row, column or line is chosen.
void choose_along(AppState& state, ProfileLine::Along along);

// Keeps the current row or column, or lets it follow the cursor again.
void pin_profile(AppState& state, bool pinned);

// The unit that all values are written in.
void choose_value_unit(AppState& state, ValueUnit unit);

}  // namespace texelscope
