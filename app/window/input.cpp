#include "app/window/input.h"

#include <array>
#include <cctype>
#include <stdexcept>

#include <GLFW/glfw3.h>

#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr std::array<std::string_view, size_t(Key::f12) + 1> key_names = {
    "",     "Space", "Tab", "Esc",    "Enter",  "Left",      "Right", "Up", "Down", "PgUp",
    "PgDn", "Home",  "End", "Insert", "Delete", "Backspace", "F1",    "F2", "F3",   "F4",
    "F5",   "F6",    "F7",  "F8",     "F9",     "F10",       "F11",   "F12"};

bool is_letter(char32_t c) { return c >= U'a' && c <= U'z'; }

bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

}  // namespace

bool Shortcut::matches(const KeyStroke& stroke) const {
    if (key != Key::none) return !stroke.typed && stroke.key == key && stroke.modifiers == modifiers;
    if (stroke.character != character) return false;
    const bool by_key = is_letter(character) || modifiers.ctrl || modifiers.alt;
    return by_key ? !stroke.typed && stroke.modifiers == modifiers : stroke.typed;
}

Shortcut parse_shortcut(std::string_view text) {
    Shortcut result;
    std::string_view rest = text;
    for (;;) {
        if (take(rest, "Ctrl+")) result.modifiers.ctrl = true;
        else if (take(rest, "Shift+")) result.modifiers.shift = true;
        else if (take(rest, "Alt+")) result.modifiers.alt = true;
        else break;
    }
    if (rest.size() == 1 && std::isgraph(static_cast<unsigned char>(rest[0]))) {
        result.character = char32_t(lower_case(rest[0]));
        return result;
    }
    for (size_t i = 1; i < key_names.size(); ++i)
        if (key_names[i] == rest) {
            result.key = Key(i);
            return result;
        }
    throw std::invalid_argument("no such shortcut: " + std::string(text));
}

std::string to_string(const Shortcut& shortcut) {
    std::string text;
    if (shortcut.modifiers.ctrl) text += "Ctrl+";
    if (shortcut.modifiers.shift) text += "Shift+";
    if (shortcut.modifiers.alt) text += "Alt+";
    if (shortcut.key != Key::none) return text + std::string(key_names[size_t(shortcut.key)]);
    return text + char(std::toupper(int(shortcut.character)));
}

namespace {

Modifiers modifiers_of(int mods) {
    return {(mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_ALT) != 0};
}

Key named_key(int key) {
    if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return Key(int(Key::f1) + key - GLFW_KEY_F1);
    switch (key) {
        case GLFW_KEY_SPACE: return Key::space;
        case GLFW_KEY_TAB: return Key::tab;
        case GLFW_KEY_ESCAPE: return Key::escape;
        case GLFW_KEY_ENTER:
        case GLFW_KEY_KP_ENTER: return Key::enter;
        case GLFW_KEY_LEFT: return Key::left;
        case GLFW_KEY_RIGHT: return Key::right;
        case GLFW_KEY_UP: return Key::up;
        case GLFW_KEY_DOWN: return Key::down;
        case GLFW_KEY_PAGE_UP: return Key::page_up;
        case GLFW_KEY_PAGE_DOWN: return Key::page_down;
        case GLFW_KEY_HOME: return Key::home;
        case GLFW_KEY_END: return Key::end;
        case GLFW_KEY_INSERT: return Key::insert;
        case GLFW_KEY_DELETE: return Key::del;
        case GLFW_KEY_BACKSPACE: return Key::backspace;
        default: return Key::none;
    }
}

bool is_letter_or_digit(int c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// The label of the key; on layouts without Latin letters or plain digits, the label on a US keyboard.
char32_t character_of(int key, int scancode) {
    const char* name = glfwGetKeyName(key, scancode);
    if (name && name[0] && !name[1]) {
        const int c = lower_case(name[0]);
        if (is_letter_or_digit(c)) return char32_t(c);
    }
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return char32_t('a' + key - GLFW_KEY_A);
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return char32_t('0' + key - GLFW_KEY_0);
    return 0;
}

InputQueue& queue_of(GLFWwindow* window) { return *static_cast<InputQueue*>(glfwGetWindowUserPointer(window)); }

// Something the user did.
InputQueue& input(GLFWwindow* window) {
    InputQueue& queue = queue_of(window);
    queue.woken = true;
    if (!queue.input_time) queue.input_time = glfwGetTime();
    return queue;
}

void woken(GLFWwindow* window) { queue_of(window).woken = true; }

void exposed(GLFWwindow* window) { queue_of(window).woken = queue_of(window).exposed = true; }

void iconified(GLFWwindow* window, int is) {
    exposed(window);
    queue_of(window).minimised = is != 0;
}

void resized(GLFWwindow* window) {
    exposed(window);
    queue_of(window).sizes_outdated = true;
}

MouseMoved cursor(const InputQueue& queue) {
    // Not glfwGetCursorPos: that returns where the cursor is now, not where it was at this event.
    const double ratio = queue.pixel_ratio;
    return {queue.cursor_x * ratio, queue.cursor_y * ratio};
}

void key(GLFWwindow* window, int key, int scancode, int action, int mods) {
    InputQueue& queue = input(window);
    queue.modifiers = modifiers_of(mods);
    // X11 reports the modifiers as they were before the key of a modifier.
    if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT) queue.modifiers.shift = action != GLFW_RELEASE;
    if (key == GLFW_KEY_LEFT_CONTROL || key == GLFW_KEY_RIGHT_CONTROL) queue.modifiers.ctrl = action != GLFW_RELEASE;
    if (action == GLFW_RELEASE) return;
    queue.key_repeated = action == GLFW_REPEAT;
    queue.events.push_back(
        KeyStroke{named_key(key), character_of(key, scancode), modifiers_of(mods), false, queue.key_repeated, key});
}

void character(GLFWwindow* window, unsigned codepoint) {
    InputQueue& queue = input(window);
    queue.events.push_back(KeyStroke{Key::none, char32_t(codepoint), {}, true, queue.key_repeated});
}

void mouse_button(GLFWwindow* window, int button, int action, int mods) {
    InputQueue& queue = input(window);
    if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
    const MouseButton which = button == GLFW_MOUSE_BUTTON_LEFT    ? MouseButton::left
                              : button == GLFW_MOUSE_BUTTON_RIGHT ? MouseButton::right
                                                                  : MouseButton::middle;
    const MouseMoved at = cursor(queue);
    queue.modifiers = modifiers_of(mods);
    if (action == GLFW_PRESS) queue.events.push_back(MousePressed{which, at.x, at.y, modifiers_of(mods)});
    else queue.events.push_back(MouseReleased{which, at.x, at.y});
}

void cursor_moved(GLFWwindow* window, double x, double y) {
    InputQueue& queue = input(window);
    queue.cursor_x = x;
    queue.cursor_y = y;
    queue.events.push_back(cursor(queue));
}

void wheel(GLFWwindow* window, double dx, double dy) {
    InputQueue& queue = input(window);
    const MouseMoved at = cursor(queue);
    // Some systems turn Shift + wheel into a sideways wheel.
    const double notches = dy != 0 ? dy : queue.modifiers.shift ? dx : 0;
    if (notches != 0) queue.events.push_back(WheelTurned{notches, at.x, at.y, queue.modifiers});
}

void drop(GLFWwindow* window, int count, const char** paths) {
    input(window).events.push_back(FilesDropped{{paths, paths + count}});
}

}  // namespace

void fill_from_callbacks(InputQueue& queue, GLFWwindow* window) {
    glfwSetWindowUserPointer(window, &queue);
    glfwSetKeyCallback(window, key);
    glfwSetCharCallback(window, character);
    glfwSetMouseButtonCallback(window, mouse_button);
    glfwSetCursorPosCallback(window, cursor_moved);
    glfwSetScrollCallback(window, wheel);
    glfwSetDropCallback(window, drop);
    glfwSetWindowSizeCallback(window, [](GLFWwindow* w, int, int) { resized(w); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { resized(w); });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { exposed(w); });
    glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int) { woken(w); });
    glfwSetWindowIconifyCallback(window, iconified);
    glfwSetWindowCloseCallback(window, [](GLFWwindow* w) { woken(w); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int) { woken(w); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float, float) { resized(w); });
}

}  // namespace texelscope
