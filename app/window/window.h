#pragma once
// The window with its OpenGL context: what GLFW knows and reports.

#include <optional>
#include <string>
#include <vector>

#include "app/window/input_queue.h"

struct GLFWwindow;

namespace texelscope {

class Window {
public:
    struct Options {
        int width = 1280, height = 800;  // window coordinates
        std::string title = "texelscope";
        bool visible = true;
        bool debug = false;  // a debug context
    };

    // OpenGL 4.5 core, or 3.3 where that is all there is. Throws Unavailable.
    explicit Window(const Options& options);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const { return window_; }

    struct Size {
        int width, height;
        bool operator==(const Size&) const = default;
    };
    // As of the last measure().
    Size size() const { return size_; }                     // window coordinates
    Size framebuffer() const { return framebuffer_; }       // pixels
    float pixel_ratio() const { return input_.pixel_ratio; }  // framebuffer pixels per window coordinate
    float content_scale() const { return content_scale_; }  // how large the desktop wants things

    // Asks for sizes and scales where they have changed; once a frame, so that all of it sees the same ones.
    void measure();

    bool minimised() const { return input_.minimised; }
    bool shift_down() const;
    bool should_close() const;

    void set_title(const std::string& title);
    void set_clipboard(const std::string& text);
    bool fullscreen() const;
    void toggle_fullscreen();
    Size windowed_size() const;  // to come back to
    void swap();

    // Sleeps until something happens; at most `seconds` where that is not negative. True where something did.
    bool wait(double seconds);
    std::vector<InputEvent> take_events();
    std::vector<int> take_pressed_keys();  // GLFW codes, each press since the last call

    // When the oldest input since the last call was handed to the program, seconds as glfwGetTime counts them: GLFW's
    // events carry no time of their own. Empty where there was none.
    std::optional<double> take_input_time();

private:
    GLFWwindow* window_ = nullptr;
    InputQueue input_;
    std::string title_;
    Size size_{0, 0}, framebuffer_{0, 0};
    float content_scale_ = 1;
    int windowed_x_ = 0, windowed_y_ = 0;
    Size windowed_{0, 0};
};

}  // namespace texelscope
