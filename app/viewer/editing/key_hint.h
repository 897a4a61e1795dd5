#pragma once
// Display of keys and mouse in presenter mode.

#include "app/state/app_state.h"
#include "app/window/input_event.h"

namespace texelscope {

// Remembers an event that is a key, a turn of the wheel or a button; a repetition within the time counts up.
void note_input(AppState& state, const InputEvent& event);

// Seconds until the hint disappears; below 0 if none is shown.
double key_hint_left(const AppState& state);

}  // namespace texelscope
