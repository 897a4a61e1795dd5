#pragma once
// Which windows lie above which, other than by what was clicked last: call after the windows of a frame. And where they
// are.

#include <optional>

#include "app/viewer/widgets/layout.h"

namespace texelscope::gui {

// Where a window was in the last frame; none if it was not shown.
std::optional<Box> place_of_window(const char* title);

// Above all others; nothing happens to a window that is not shown.
void raise_window(const char* title);

// Menus and lists above what they belong to, after windows were raised.
void raise_popups();

}  // namespace texelscope::gui
