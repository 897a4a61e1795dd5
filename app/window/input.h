#pragma once
// What keys, mouse and dropped files do to the window, in order; and shortcuts, by the label of the key on any keyboard
// layout.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace texelscope {

// Keys that type no character, and Space.
enum class Key {
    none,
    space,
    tab,
    escape,
    enter,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    insert,
    del,
    backspace,
    f1,
    f2,
    f3,
    f4,
    f5,
    f6,
    f7,
    f8,
    f9,
    f10,
    f11,
    f12
};

struct Modifiers {
    bool shift = false, ctrl = false, alt = false;
    bool operator==(const Modifiers&) const = default;
};

// A stroke reported by the window. A key that types something is reported twice: as a key with its letter or digit
// (lower case, regardless of Shift), then as the character that the layout made of it.
struct KeyStroke {
    Key key = Key::none;
    char32_t character = 0;
    Modifiers modifiers;
    bool typed = false;
    bool repeated = false;
    int code = -1;  // the key as GLFW numbers it; none of a character
};

struct Shortcut {
    Key key = Key::none;
    char32_t character = 0;  // lower case
    Modifiers modifiers;
    bool operator==(const Shortcut&) const = default;

    // Letters count by key and modifiers. Symbols and digits count as typed: Shift belongs to the layout, not to them.
    bool matches(const KeyStroke& stroke) const;
};

// "Ctrl+Shift+P", "F11", "[", "+", "Shift+Left". Throws std::invalid_argument for anything else.
Shortcut parse_shortcut(std::string_view text);

// As shown in menus; parse_shortcut reads it back.
std::string to_string(const Shortcut& shortcut);

// The events that the window reports, in the order they happened. Positions are in framebuffer pixels from the window's
// upper left.

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
// Two fingers on a screen that is touched.
struct FingersMoved {
    double x, y;             // between them
    double dx, dy;           // by which that has moved
    double factor, degrees;  // by which they have spread, and turned clockwise
};
struct FilesDropped {
    std::vector<std::string> paths;
};

using InputEvent =
    std::variant<KeyStroke, MouseMoved, MousePressed, MouseReleased, WheelTurned, FingersMoved, FilesDropped>;

}  // namespace texelscope

struct GLFWwindow;

namespace texelscope {

// Input events from GLFW's callbacks, for the window to take.

struct InputQueue {
    std::vector<InputEvent> events;
    std::optional<double> input_time;  // of the oldest input in it, seconds as glfwGetTime counts them
    bool woken = false;                // a callback came
    bool exposed = true;               // the window lost what was drawn, or has another size
    bool sizes_outdated = true, minimised = false;
    float pixel_ratio = 1;  // framebuffer pixels per window coordinate; the window keeps it up to date

    // As of the last event.
    Modifiers modifiers;
    bool key_repeated = false;
    double cursor_x = 0, cursor_y = 0;  // window coordinates
};

// The callbacks of `window` fill the queue from now on, which must live as long as the window.
void fill_from_callbacks(InputQueue& queue, GLFWwindow* window);

}  // namespace texelscope
