#pragma once
// Parts that several panels have.

#include <string_view>

#include "app/state/app_state.h"

namespace texelscope::panels {

// Runs an action of the table from a panel: title, shortcut and tooltip are the table's.
void action_button(AppState& state, const char* text, std::string_view action_id, int of);

}  // namespace texelscope::panels
