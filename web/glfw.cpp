// What Emscripten's GLFW lacks of the functions that app/window calls.

#include <GLFW/glfw3.h>
#include <emscripten.h>

extern "C" {

// The canvas has as many pixels as the screen shows of it, and window coordinates are its pixels.
void glfwGetWindowContentScale(GLFWwindow*, float* x, float* y) {
    *x = *y = float(EM_ASM_DOUBLE({ return window.devicePixelRatio || 1; }));
}
void glfwGetMonitorContentScale(GLFWmonitor*, float* x, float* y) { glfwGetWindowContentScale(nullptr, x, y); }
GLFWwindowcontentscalefun glfwSetWindowContentScaleCallback(GLFWwindow*, GLFWwindowcontentscalefun) {
    return nullptr;  // the canvas gets another size then
}

void glfwRequestWindowAttention(GLFWwindow*) {}
void glfwWindowHintString(int, const char*) {}
GLFWglproc glfwGetProcAddress(const char*) { return nullptr; }
}
