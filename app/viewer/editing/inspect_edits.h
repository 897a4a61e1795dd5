#pragma once
// What inspecting does to the state: which plot is open, along what the profile runs, how values are displayed.

#include "app/state/app_state.h"

namespace texelscope {

// Opens the tab of the dock; closes the dock where that tab is open.
void toggle_dock(AppState& state, Dock dock);

// Outlines the taps on the picture and lists them; or neither any more.
void toggle_taps(AppState& state);

// What the profile shows stays in sight until another row, column or line is chosen.
void choose_along(AppState& state, ProfileLine::Along along);

// Keeps the row or column that is shown, or lets it follow the cursor again.
void pin_profile(AppState& state, bool pinned);

void change_exposure(AppState& state, float stops);
void reset_display(AppState& state);

}  // namespace texelscope
