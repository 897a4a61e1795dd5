#pragma once
// Turns GLFW callbacks into InputEvents.

namespace texelscope {

class Window;

void install_callbacks(Window& window);

}  // namespace texelscope
