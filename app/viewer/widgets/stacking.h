#pragma once
// Which windows lie above which, other than by what was clicked last. Call after the windows of a frame.

namespace texelscope::gui {

// Above all others; nothing happens to a window that is not shown.
void raise_window(const char* title);

// Menus and lists above what they belong to, after windows were raised.
void raise_popups();

}  // namespace texelscope::gui
