#include "app/window/window_callbacks.h"

#include <GLFW/glfw3.h>

#include "app/window/window.h"

namespace texelscope {
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
        const int c = name[0] >= 'A' && name[0] <= 'Z' ? name[0] + 32 : name[0];
        if (is_letter_or_digit(c)) return char32_t(c);
    }
    if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return char32_t('a' + key - GLFW_KEY_A);
    if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return char32_t('0' + key - GLFW_KEY_0);
    return 0;
}

}  // namespace

struct WindowCallbacks {
    static Window& at(GLFWwindow* handle) { return *static_cast<Window*>(glfwGetWindowUserPointer(handle)); }

    static Window& woken(GLFWwindow* handle) {
        Window& window = at(handle);
        window.woken_ = true;
        return window;
    }

    // Something the user did.
    static Window& input(GLFWwindow* handle) {
        Window& window = woken(handle);
        if (!window.input_time_) window.input_time_ = glfwGetTime();
        return window;
    }

    static void iconified(GLFWwindow* handle, int is) { woken(handle).minimised_ = is != 0; }

    static void resized(GLFWwindow* handle) { woken(handle).sizes_outdated_ = true; }

    static MouseMoved cursor(const Window& window) {
        // Not glfwGetCursorPos: that returns where the cursor is now, not where it was at this event.
        const double ratio = window.pixel_ratio();
        return {window.cursor_x_ * ratio, window.cursor_y_ * ratio};
    }

    static void key(GLFWwindow* handle, int key, int scancode, int action, int mods) {
        Window& window = input(handle);
        window.modifiers_ = modifiers_of(mods);
        // X11 reports the modifiers as they were before the key of a modifier.
        if (key == GLFW_KEY_LEFT_SHIFT || key == GLFW_KEY_RIGHT_SHIFT) window.modifiers_.shift = action != GLFW_RELEASE;
        if (key == GLFW_KEY_LEFT_CONTROL || key == GLFW_KEY_RIGHT_CONTROL)
            window.modifiers_.ctrl = action != GLFW_RELEASE;
        if (action == GLFW_RELEASE) return;
        if (action == GLFW_PRESS && key >= 0) window.pressed_keys_.push_back(key);
        window.repeated_ = action == GLFW_REPEAT;
        window.events_.push_back(
            KeyStroke{named_key(key), character_of(key, scancode), modifiers_of(mods), false, window.repeated_});
    }

    static void character(GLFWwindow* handle, unsigned codepoint) {
        Window& window = input(handle);
        window.events_.push_back(KeyStroke{Key::none, char32_t(codepoint), {}, true, window.repeated_});
    }

    static void mouse_button(GLFWwindow* handle, int button, int action, int mods) {
        Window& window = input(handle);
        if (button > GLFW_MOUSE_BUTTON_MIDDLE) return;
        const MouseButton which = button == GLFW_MOUSE_BUTTON_LEFT    ? MouseButton::left
                                  : button == GLFW_MOUSE_BUTTON_RIGHT ? MouseButton::right
                                                                      : MouseButton::middle;
        const MouseMoved at = cursor(window);
        window.modifiers_ = modifiers_of(mods);
        if (action == GLFW_PRESS)
            window.events_.push_back(MousePressed{which, at.x, at.y, modifiers_of(mods)});
        else
            window.events_.push_back(MouseReleased{which, at.x, at.y});
    }

    static void cursor_moved(GLFWwindow* handle, double x, double y) {
        Window& window = input(handle);
        window.cursor_x_ = x;
        window.cursor_y_ = y;
        window.events_.push_back(cursor(window));
    }

    static void wheel(GLFWwindow* handle, double dx, double dy) {
        Window& window = input(handle);
        const MouseMoved at = cursor(window);
        // Some systems turn Shift + wheel into a sideways wheel.
        const double notches = dy != 0 ? dy : window.modifiers_.shift ? dx : 0;
        if (notches != 0) window.events_.push_back(WheelTurned{notches, at.x, at.y, window.modifiers_});
    }

    static void drop(GLFWwindow* handle, int count, const char** paths) {
        input(handle).events_.push_back(FilesDropped{{paths, paths + count}});
    }
};

void install_callbacks(Window& window) {
    GLFWwindow* handle = window.handle();
    glfwSetKeyCallback(handle, WindowCallbacks::key);
    glfwSetCharCallback(handle, WindowCallbacks::character);
    glfwSetMouseButtonCallback(handle, WindowCallbacks::mouse_button);
    glfwSetCursorPosCallback(handle, WindowCallbacks::cursor_moved);
    glfwSetScrollCallback(handle, WindowCallbacks::wheel);
    glfwSetDropCallback(handle, WindowCallbacks::drop);
    glfwSetWindowSizeCallback(handle, [](GLFWwindow* h, int, int) { WindowCallbacks::resized(h); });
    glfwSetFramebufferSizeCallback(handle, [](GLFWwindow* h, int, int) { WindowCallbacks::resized(h); });
    glfwSetWindowRefreshCallback(handle, [](GLFWwindow* h) { WindowCallbacks::woken(h); });
    glfwSetWindowFocusCallback(handle, [](GLFWwindow* h, int) { WindowCallbacks::woken(h); });
    glfwSetWindowIconifyCallback(handle, WindowCallbacks::iconified);
    glfwSetWindowCloseCallback(handle, [](GLFWwindow* h) { WindowCallbacks::woken(h); });
    glfwSetCursorEnterCallback(handle, [](GLFWwindow* h, int) { WindowCallbacks::woken(h); });
    glfwSetWindowContentScaleCallback(handle, [](GLFWwindow* h, float, float) { WindowCallbacks::resized(h); });
}

}  // namespace texelscope
