#pragma once
// The window with its OpenGL context, as GLFW knows and reports it; what another program has copied.

#include <array>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/window/input.h"
#include "gpu/core/image.h"

struct GLFWwindow;

namespace texelscope {

// What another program has copied. GLFW knows text only; pictures and lists of files come by X selections.

struct Copied {
    std::string text;                // UTF-8, or a list of URIs; empty if there is none
    std::vector<std::byte> picture;  // an image file of some format; empty if there is none
};

// Over a connection of its own, so that any thread may ask, even for what this program has copied, which its window hands
// out meanwhile. Blocks until that has come; gives up once the other program does nothing for some seconds.
// Takes both a picture and a list of files. Throws Unavailable without an X display, Error if nothing is there or
// if it does not come, Cancelled if asked to stop.
Copied read_clipboard(const std::stop_token& stop);

class Window {
public:
    struct Options {
        int width = 1280, height = 800;  // window coordinates
        std::string title = "texelscope";
        bool visible = true;
        bool debug = false;  // a debug context
        // Called when the display is connected, with its content scale, before a driver is loaded: that takes a while.
        std::function<void(float)> connected = {};
    };

    // OpenGL 4.5 core, or 3.3 if there is no newer one. Throws Unavailable.
    explicit Window(const Options& options);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const { return window_; }

    // As of the last measure().
    Extent size() const { return size_; }                     // window coordinates
    Extent framebuffer() const { return framebuffer_; }       // pixels
    float pixel_ratio() const { return input_.pixel_ratio; }  // framebuffer pixels per window coordinate
    float content_scale() const { return content_scale_; }    // the desktop's scale for text and controls

    // Queries sizes and scales if they have changed; once per frame, so that the whole frame sees the same ones.
    void measure();

    // Whether, since the last call, the window lost what was drawn into it, or got another size.
    bool take_exposed() { return std::exchange(input_.exposed, false); }

    // Whether, since the last call, it was asked to close. It stays until the program ends.
    bool take_close();

    bool minimised() const { return input_.minimised; }
    bool shift_down() const;
    bool ctrl_down() const;

    void set_title(const std::string& title);
    void set_clipboard(const std::string& text);
    bool fullscreen() const;
    void toggle_fullscreen();
    Extent windowed_size() const;  // to come back to
    void swap();
    void hide();
    void ask_for_attention();  // of the user, as far as the desktop has a way

    // "#version 330 core", the first line of all shaders.
    static std::string shading_language();

    // Ends a wait(); from any thread. Nothing while there is no window.
    static void wake();

    // Sleeps until something happens; at most `seconds` unless that is negative. True if something happened.
    bool wait(double seconds);
    std::vector<InputEvent> take_events();

    // When the oldest input since the last call reached the program, in seconds of glfwGetTime: GLFW events carry no
    // time. Empty if there was none.
    std::optional<double> take_input_time();

private:
    GLFWwindow* window_ = nullptr;
    InputQueue input_;
    std::string title_;
    Extent size_, framebuffer_;
    float content_scale_ = 1;
    int windowed_x_ = 0, windowed_y_ = 0;
    Extent windowed_;
};

// While it lives, SIGTERM and SIGHUP close the window as its own button does, so that settings are saved. A second one
// ends the program at once, in case it is busy. Signals that are ignored (nohup) stay ignored. Only one at a time.
class CloseSignals {
public:
    explicit CloseSignals(const Window& window);
    ~CloseSignals();
    CloseSignals(const CloseSignals&) = delete;
    CloseSignals& operator=(const CloseSignals&) = delete;

private:
    static constexpr std::array signals = {SIGHUP, SIGTERM};
    struct sigaction before_[signals.size()]{};
    int read_ = -1;
    std::thread waiting_;
};

// From then on, writing to a display or a pipe that is no longer there is an error, not a signal that ends the program, and a
// lost X display is said in one sentence on stderr before the program ends with status 1. For programs with a window.
void name_lost_display();

// The screen's colour profile, as colour managers announce it.

struct ScreenProfile {
    // Through which it was read: to be held until the window is there, since a server that has no client starts anew and
    // drops the next one. Null without an X display.
    std::shared_ptr<void> connection;
    std::vector<std::byte> icc;  // empty if there is none
};

// The bytes of the property _ICC_PROFILE of the X display's root window (ICC Profiles in X Specification 0.4).
ScreenProfile screen_profile();

// The way pictures would reach the screen of this machine.

struct Presentation {
    std::string opengl;  // version and renderer, or why there is none
    std::string rung;    // of the ladder: CUDA·GL; CUDA, staged copy; CPU
    std::string device;  // that computes
    std::string reason;  // why no higher rung; empty on the top one
};

// Opens a hidden window for a moment if there is a display. Never throws.
Presentation probe_presentation();

}  // namespace texelscope
