#pragma once
// Changes of the panes: how many, which, how they lie, what they are compared with.

#include "app/state/app_state.h"

namespace texelscope {

// The next (or previous) pane becomes the active one; of two, the other.
void flip_panes(AppState& state, int step = 1);
void swap_panes(AppState& state);  // A and B change places

// A copy of the active pane, at the end; it becomes the active one. Nothing where there are max_panes.
void add_pane(AppState& state);

// The last one stays. What was compared with it is compared with the reference.
void remove_pane(AppState& state, int pane);
void keep_only(AppState& state, int pane);

// More panes than one are needed for all but single: the second is made then.
void arrange(AppState& state, Arrangement arrangement);
void cycle_arrangement(AppState& state);
void show_two_by_two(AppState& state);  // a grid of four

void toggle_difference(AppState& state);  // of the active pane
void toggle_link(AppState& state);        // of the active pane's view

}  // namespace texelscope
