#pragma once
// Presenter mode: large type, visible keys and mouse.

#include <string>

namespace texelscope {

// The last key or wheel movement, shown for a second.
struct KeyHint {
    std::string text;  // "Ctrl+G"; "wheel ↑"
    int count = 0;     // in a row; 0: nothing yet
    double at = 0;     // seconds
};

struct PresenterState {
    bool on = false;
    bool pressed = false;  // a mouse button is held
    KeyHint key;
};
inline constexpr float presenter_magnification = 1.5f;
inline constexpr double key_hint_seconds = 1.2;

}  // namespace texelscope
