#pragma once
// From GLFW's callbacks to InputEvents.

namespace texelscope {

class Window;

void install_callbacks(Window& window);

}  // namespace texelscope
