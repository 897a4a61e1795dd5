#pragma once
// Input events from GLFW's callbacks, for the window to take.

#include <optional>
#include <vector>

#include "app/window/input_event.h"

struct GLFWwindow;

namespace texelscope {

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
