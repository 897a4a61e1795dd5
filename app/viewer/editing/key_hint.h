#pragma once
// What presenter mode shows of keys and mouse.

#include "app/window/input_event.h"
#include "app/state/app_state.h"

namespace texelscope {

// Remembers it where it is a key, a turn of the wheel or a button; the same again within the time counts up.
void note_input(AppState& state, const InputEvent& event);

// Seconds until the hint goes; below 0 where none is shown.
double key_hint_patience(const AppState& state);

}  // namespace texelscope
