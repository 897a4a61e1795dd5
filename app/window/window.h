#pragma once
// The window with its OpenGL context, as GLFW knows and reports it.

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/input.h"
#include "gpu/core/image.h"

struct GLFWwindow;

namespace texelscope {

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

    void set_title(const std::string& title);
    void set_clipboard(const std::string& text);
    bool fullscreen() const;
    void toggle_fullscreen();
    Extent windowed_size() const;  // to come back to
    void swap();
    void hide();
    void ask_for_attention();  // of the user, as far as the desktop has a way

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

}  // namespace texelscope
