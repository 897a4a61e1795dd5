#pragma once
// The events that the window reports, in the order they happened. Positions are in framebuffer pixels from the window's
// upper left.

#include <string>
#include <variant>
#include <vector>

#include "app/window/shortcut.h"

namespace texelscope {

enum class MouseButton { left, right, middle };

struct MouseMoved {
    double x, y;
};
struct MousePressed {
    MouseButton button;
    double x, y;
    Modifiers modifiers;
};
struct MouseReleased {
    MouseButton button;
    double x, y;
};
struct WheelTurned {
    double notches;  // positive: away from the user
    double x, y;
    Modifiers modifiers;
};
struct FilesDropped {
    std::vector<std::string> paths;
};

using InputEvent = std::variant<KeyStroke, MouseMoved, MousePressed, MouseReleased, WheelTurned, FilesDropped>;

}  // namespace texelscope
