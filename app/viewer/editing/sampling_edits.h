#pragma once
// Edits of sampling for all methods: antialiasing, linear light, a warp under the view.

#include <string>

#include "app/state/app_state.h"

namespace texelscope {

void toggle_antialias(AppState& state);
void toggle_linear_light(AppState& state);

// At its default strength; the same kind again changes nothing.
void choose_warp(AppState& state, Warp::Kind kind);
void cycle_warp(AppState& state);  // none → swirl → barrel → ripple

// Their effects, for tooltips.
extern const char* const antialias_tip;
extern const char* const linear_light_tip;

}  // namespace texelscope
