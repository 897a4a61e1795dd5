#pragma once
// False colour: a single channel through a colour map, or complex numbers.

#include "app/state/app_state.h"

namespace texelscope {

// Whether the pane's picture is of a single channel, of its image or chosen. False without an image.
bool shows_single_channel(const AppState& state, int pane);

// Whether the pane shows complex numbers, two channels of plain data, by phase and magnitude.
bool shows_polar(const AppState& state, int pane);

// Whether it is shown through a colour map.
bool shows_false_colour(const AppState& state, int pane);

// The stored value that is shown at a part (0 … 1) of the colour map: the inverse of levels, exposure, tone curve, gamma
// and inverting. Infinite where the tone curve never comes to an end.
double value_shown_at(const DisplaySettings& settings, double part);

}  // namespace texelscope
