#pragma once
// The window's title: file, method and zoom.

#include <string>

#include "app/state/app_state.h"

namespace texelscope {

// "photo.png – Bilinear – 400 % (4:1)": method and zoom of the active pane, which keys act on; preceded by the file of a
// recording while there is one.
std::string window_title(const AppState& state);

}  // namespace texelscope
