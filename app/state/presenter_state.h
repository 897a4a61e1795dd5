#pragma once
// Presenter mode: large type, visible keys and mouse.

#include <memory>
#include <string>

namespace texelscope {

// The last key or wheel movement, shown for a second.
struct KeyHint {
    std::string text;  // "Ctrl+G"; "wheel ↑"
    int count = 0;     // in a row; 0: nothing yet
    double at = 0;     // seconds
};

struct Lesson;

// How much larger everything is, and the step and window that this was found for.
struct PresenterFit {
    std::shared_ptr<const Lesson> lesson;
    int step = 0;
    float width = 0, height = 0, display_scale = 0;  // of the window
    float magnification = 1;
};

struct PresenterState {
    bool on = false;
    bool pressed = false;  // a mouse button is held
    KeyHint key;
    PresenterFit fit;
};
inline constexpr double key_hint_seconds = 1.2;

}  // namespace texelscope
