#pragma once
// Figures of the status bar that can be typed: position and zoom.

#include <string_view>

#include "app/state/app_state.h"
#include "app/viewer/widgets/layout.h"

namespace texelscope::panels {

inline constexpr std::string_view status_zoom = "status:zoom", status_position = "status:position";

// The field in place of the figure of this name, while it is typed; false if it is not.
bool typed_figure(AppState& state, std::string_view id, float x, float width, const gui::Box& box);

}  // namespace texelscope::panels
