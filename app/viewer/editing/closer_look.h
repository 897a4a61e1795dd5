#pragma once
// Methods are compared at a zoom at which they can be told apart: fitted or at 100 %, a photograph looks the same by all of
// them.

#include "app/state/app_state.h"

namespace texelscope {

// The zoom at which methods are told apart, and the least at which they are.
inline constexpr double closer_zoom = 4, least_telling_zoom = 1.5;

// Whether the active pane's picture is shown so small that methods look alike.
bool looks_alike(const AppState& state);

// 400 % where methods differ most in the part of the picture that is in view, or else in its middle.
void zoom_to_difference(AppState& state);

// After methods were put side by side, or another one was chosen, where they look alike: one line offers
// zoom_to_difference(), once for each file. `by_itself`: it is done at once, for a file that is shown as it was opened,
// and only the first time. Not for test images, nor in a lesson.
void look_closer(AppState& state, bool by_itself);

}  // namespace texelscope
