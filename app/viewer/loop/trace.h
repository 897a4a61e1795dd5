#pragma once
// The state as one line of JSON, for tests that compare the window with `texelscope render`.

#include <string>

#include "app/state/app_state.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope {

// "picture": rectangle in framebuffer pixels; "view", "spec", "outside": as shown; "settled": no animation is running;
// "latency_ms": see Latency, of the last frame and the median.
std::string state_as_json(const AppState& state, const gui::ControlLog& controls);

}  // namespace texelscope
