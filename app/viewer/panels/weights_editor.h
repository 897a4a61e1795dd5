#pragma once
// The Method panel's editor of a weight function.

#include "app/state/app_state.h"

namespace texelscope::panels {

// A button that starts from the active pane's method; the text, what is wrong with it, and what follows from it.
void weights_editor(AppState& state);

// The way into it in a low window: the last row of the list of methods.
void weights_row(AppState& state);

}  // namespace texelscope::panels
