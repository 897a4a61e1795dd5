#pragma once
// Edits of the active pane's weight function as a text.

#include "app/state/app_state.h"

namespace texelscope {

// Opens the editor with the text of the active pane's method; a built-in one becomes a copy.
void edit_weights(AppState& state);

// The text was changed: the pane gets the new function, or keeps the last good one while something is wrong.
void type_weights(AppState& state, const std::string& text);

// The editor shows the text of the active pane, and closes if that has another method now.
void follow_weights(AppState& state);

// Parameters for which the formula has no weights are put back to `before`, with a message.
void check_parameters(AppState& state, const MethodParameters& before);

}  // namespace texelscope
