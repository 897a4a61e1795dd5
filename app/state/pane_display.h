#pragma once
// How a pane's values become colours: the scene's settings, with the levels of the image that the pane shows.

#include "app/state/app_state.h"

namespace texelscope {

// Levels of a document: the user's, else those of its data, else 0 and 1.
Levels levels_of(const Document& document);

// Settings that act on a pane: the locked levels, or those of its image; marks only if there is something to mark.
Levels levels_of(const AppState& state, int pane);
DisplaySettings display_of(const AppState& state, int pane);

// Whether the pane's levels are those that were found in its data.
bool shows_levels_of_data(const AppState& state, int pane);

}  // namespace texelscope
