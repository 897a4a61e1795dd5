// GLFW, as far as the window and Dear ImGui call it, over one canvas. The page (page.js) says what happens to it by the
// functions page_…; window coordinates are the canvas's pixels.

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <emscripten/html5.h>

struct GLFWwindow {
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = 0;
    void* user = nullptr;
    int width = 0, height = 0;
    float scale = 1;
    bool hidden = false, inside = false, focused = true;
    double x = 0, y = 0;
    bool keys[GLFW_KEY_LAST + 1] = {}, buttons[3] = {};
    std::map<int, std::string> labels;  // of keys that have been pressed
    std::string copied;                 // by the program, or pasted by the user
    int cursor = 0;

    GLFWkeyfun key = nullptr;
    GLFWcharfun character = nullptr;
    GLFWmousebuttonfun button = nullptr;
    GLFWcursorposfun moved = nullptr;
    GLFWcursorenterfun entered = nullptr;
    GLFWscrollfun scrolled = nullptr;
    GLFWdropfun dropped = nullptr;
    GLFWwindowsizefun sized = nullptr;
    GLFWframebuffersizefun framebuffer = nullptr;
    GLFWwindowrefreshfun refresh = nullptr;
    GLFWwindowfocusfun focus = nullptr;
    GLFWwindowiconifyfun iconify = nullptr;
    GLFWwindowcontentscalefun scaled = nullptr;
};

namespace {

GLFWwindow* page = nullptr;  // the only window
GLFWerrorfun error_callback = nullptr;

template <class Function> Function exchanged(Function& of, Function other) {
    const Function before = of;
    of = other;
    return before;
}

template <class Function, class... Arguments> void tell(Function callback, Arguments... arguments) {
    if (page && callback) callback(page, arguments...);
}

}  // namespace

extern "C" {

// What the page says.

EMSCRIPTEN_KEEPALIVE void page_sized(int width, int height, float scale) {
    if (!page || (page->width == width && page->height == height && page->scale == scale)) return;
    const bool other_scale = page->scale != scale;
    page->width = width;
    page->height = height;
    page->scale = scale;
    emscripten_set_canvas_element_size("#canvas", width, height);
    tell(page->sized, width, height);
    tell(page->framebuffer, width, height);
    if (other_scale) tell(page->scaled, scale, scale);
}

EMSCRIPTEN_KEEPALIVE void page_key(int key, const char* label, int action, int modifiers) {
    if (!page || key < 0 || key > GLFW_KEY_LAST) return;
    if (*label) page->labels[key] = label;
    page->keys[key] = action != GLFW_RELEASE;
    tell(page->key, key, 0, action, modifiers);
}

EMSCRIPTEN_KEEPALIVE void page_character(unsigned code) {
    if (page) tell(page->character, code);
}

EMSCRIPTEN_KEEPALIVE void page_moved(double x, double y) {
    if (!page) return;
    page->x = x;
    page->y = y;
    tell(page->moved, x, y);
}

EMSCRIPTEN_KEEPALIVE void page_button(int button, int action, int modifiers) {
    if (!page || button < 0 || button > 2) return;
    page->buttons[button] = action == GLFW_PRESS;
    tell(page->button, button, action, modifiers);
}

EMSCRIPTEN_KEEPALIVE void page_scrolled(double dx, double dy) {
    if (page) tell(page->scrolled, dx, dy);
}

EMSCRIPTEN_KEEPALIVE void page_entered(int inside) {
    if (!page || page->inside == (inside != 0)) return;
    page->inside = inside != 0;
    tell(page->entered, inside);
}

// Keys and buttons that are held when the page loses the focus are released: nothing else would say so.
EMSCRIPTEN_KEEPALIVE void page_focused(int focused) {
    if (!page) return;
    page->focused = focused != 0;
    for (int key = 0; key <= GLFW_KEY_LAST && !focused; ++key)
        if (page->keys[key]) page_key(key, "", GLFW_RELEASE, 0);
    tell(page->focus, focused);
}

EMSCRIPTEN_KEEPALIVE void page_hidden(int hidden) {
    if (!page) return;
    page->hidden = hidden != 0;
    tell(page->iconify, hidden);
    if (!hidden) tell(page->refresh);
}

EMSCRIPTEN_KEEPALIVE void page_dropped(const char* path) {
    if (page) tell(page->dropped, 1, &path);
}

EMSCRIPTEN_KEEPALIVE void page_pasted(const char* text) {
    if (page) page->copied = text;
}

// What the program asks.

int glfwInit() { return GLFW_TRUE; }
void glfwTerminate() {}
double glfwGetTime() { return emscripten_get_now() / 1000; }
GLFWerrorfun glfwSetErrorCallback(GLFWerrorfun callback) { return exchanged(error_callback, callback); }

void glfwDefaultWindowHints() {}
void glfwWindowHint(int, int) {}
void glfwWindowHintString(int, const char*) {}

// As large as the canvas, whatever is asked for.
GLFWwindow* glfwCreateWindow(int, int, const char*, GLFWmonitor*, GLFWwindow*) {
    EmscriptenWebGLContextAttributes attributes;
    emscripten_webgl_init_context_attributes(&attributes);
    attributes.majorVersion = 2;
    attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = EM_FALSE;
    const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context = emscripten_webgl_create_context("#canvas", &attributes);
    if (context <= 0) {
        if (error_callback) error_callback(GLFW_API_UNAVAILABLE, "the browser offers no WebGL 2");
        return nullptr;
    }
    emscripten_webgl_make_context_current(context);
    page = new GLFWwindow;
    page->context = context;
    emscripten_get_canvas_element_size("#canvas", &page->width, &page->height);
    page->scale = float(emscripten_get_device_pixel_ratio());
    return page;
}
void glfwDestroyWindow(GLFWwindow* window) {
    page = nullptr;
    emscripten_webgl_destroy_context(window->context);
    delete window;
}
void glfwMakeContextCurrent(GLFWwindow*) {}
GLFWglproc glfwGetProcAddress(const char*) { return nullptr; }
void glfwSwapInterval(int) {}
void glfwSwapBuffers(GLFWwindow*) {}  // the browser shows what has been drawn when the turn ends

// The browser calls when something happens: nothing is waited for.
void glfwPollEvents() {}
void glfwWaitEvents() {}
void glfwWaitEventsTimeout(double) {}
void glfwPostEmptyEvent() {
    MAIN_THREAD_ASYNC_EM_ASM({ Module.wake(); });
}

void glfwSetWindowUserPointer(GLFWwindow* window, void* user) { window->user = user; }
void* glfwGetWindowUserPointer(GLFWwindow* window) { return window->user; }

void glfwGetWindowSize(GLFWwindow* window, int* width, int* height) {
    *width = window->width;
    *height = window->height;
}
void glfwGetFramebufferSize(GLFWwindow* window, int* width, int* height) { glfwGetWindowSize(window, width, height); }
void glfwGetWindowPos(GLFWwindow*, int* x, int* y) { *x = *y = 0; }
void glfwGetWindowContentScale(GLFWwindow* window, float* x, float* y) { *x = *y = window->scale; }

int glfwGetWindowAttrib(GLFWwindow* window, int attribute) {
    switch (attribute) {
        case GLFW_ICONIFIED: return window->hidden;
        case GLFW_FOCUSED: return window->focused;
        case GLFW_VISIBLE: return GLFW_TRUE;
        default: return GLFW_FALSE;
    }
}
int glfwWindowShouldClose(GLFWwindow*) { return GLFW_FALSE; }
void glfwSetWindowShouldClose(GLFWwindow*, int) {}
void glfwHideWindow(GLFWwindow*) {}
void glfwRequestWindowAttention(GLFWwindow*) {}
void glfwSetWindowIcon(GLFWwindow*, int, const GLFWimage*) {}
void glfwSetWindowTitle(GLFWwindow*, const char* title) {
    EM_ASM({ Module.name(UTF8ToString($0)); }, title);
}

// Full screen is the page's: there is no monitor that a window could be on.
GLFWmonitor* glfwGetWindowMonitor(GLFWwindow*) {
    return EM_ASM_INT({ return document.fullscreenElement ? 1 : 0; }) ? reinterpret_cast<GLFWmonitor*>(page) : nullptr;
}
void glfwSetWindowMonitor(GLFWwindow*, GLFWmonitor* monitor, int, int, int, int, int) {
    EM_ASM({ Module.fillScreen($0); }, monitor != nullptr);
}
GLFWmonitor** glfwGetMonitors(int* count) {
    *count = 0;
    return nullptr;
}
GLFWmonitor* glfwGetPrimaryMonitor() { return reinterpret_cast<GLFWmonitor*>(page); }
void glfwGetMonitorPos(GLFWmonitor*, int* x, int* y) { *x = *y = 0; }
void glfwGetMonitorContentScale(GLFWmonitor*, float* x, float* y) {
    *x = *y = float(emscripten_get_device_pixel_ratio());
}
const GLFWvidmode* glfwGetVideoMode(GLFWmonitor*) {
    static GLFWvidmode mode;
    mode = {page ? page->width : 0, page ? page->height : 0, 8, 8, 8, 60};
    return &mode;
}
GLFWmonitorfun glfwSetMonitorCallback(GLFWmonitorfun) { return nullptr; }

int glfwGetKey(GLFWwindow* window, int key) { return window->keys[key] ? GLFW_PRESS : GLFW_RELEASE; }
int glfwGetMouseButton(GLFWwindow* window, int button) {
    return button < 3 && window->buttons[button] ? GLFW_PRESS : GLFW_RELEASE;
}
const char* glfwGetKeyName(int key, int) {
    if (!page) return nullptr;
    const auto at = page->labels.find(key);
    return at == page->labels.end() ? nullptr : at->second.c_str();
}
void glfwGetCursorPos(GLFWwindow* window, double* x, double* y) {
    *x = window->x;
    *y = window->y;
}
void glfwSetCursorPos(GLFWwindow*, double, double) {}
int glfwGetInputMode(GLFWwindow*, int) { return GLFW_CURSOR_NORMAL; }
void glfwSetInputMode(GLFWwindow*, int, int) {}
const float* glfwGetJoystickAxes(int, int* count) {
    *count = 0;
    return nullptr;
}
const unsigned char* glfwGetJoystickButtons(int, int* count) {
    *count = 0;
    return nullptr;
}

// A cursor is the number of its shape.
GLFWcursor* glfwCreateStandardCursor(int shape) { return reinterpret_cast<GLFWcursor*>(shape); }
void glfwDestroyCursor(GLFWcursor*) {}
void glfwSetCursor(GLFWwindow* window, GLFWcursor* cursor) {
    const int shape = int(reinterpret_cast<intptr_t>(cursor));
    if (std::exchange(window->cursor, shape) == shape) return;
    EM_ASM(
        {
            Module.canvas.style.cursor = ({
                                             0x36002 : "text",
                                             0x36003 : "crosshair",
                                             0x36004 : "pointer",
                                             0x36005 : "ew-resize",
                                             0x36006 : "ns-resize"
                                         })[$0] ||
                                         "";
        },
        shape);
}

void glfwSetClipboardString(GLFWwindow*, const char* text) {
    if (!page) return;
    page->copied = text;
    EM_ASM({ Module.copyText(UTF8ToString($0)); }, text);
}
const char* glfwGetClipboardString(GLFWwindow*) { return page ? page->copied.c_str() : ""; }

GLFWkeyfun glfwSetKeyCallback(GLFWwindow* w, GLFWkeyfun f) { return exchanged(w->key, f); }
GLFWcharfun glfwSetCharCallback(GLFWwindow* w, GLFWcharfun f) { return exchanged(w->character, f); }
GLFWmousebuttonfun glfwSetMouseButtonCallback(GLFWwindow* w, GLFWmousebuttonfun f) { return exchanged(w->button, f); }
GLFWcursorposfun glfwSetCursorPosCallback(GLFWwindow* w, GLFWcursorposfun f) { return exchanged(w->moved, f); }
GLFWcursorenterfun glfwSetCursorEnterCallback(GLFWwindow* w, GLFWcursorenterfun f) { return exchanged(w->entered, f); }
GLFWscrollfun glfwSetScrollCallback(GLFWwindow* w, GLFWscrollfun f) { return exchanged(w->scrolled, f); }
GLFWdropfun glfwSetDropCallback(GLFWwindow* w, GLFWdropfun f) { return exchanged(w->dropped, f); }
GLFWwindowsizefun glfwSetWindowSizeCallback(GLFWwindow* w, GLFWwindowsizefun f) { return exchanged(w->sized, f); }
GLFWframebuffersizefun glfwSetFramebufferSizeCallback(GLFWwindow* w, GLFWframebuffersizefun f) {
    return exchanged(w->framebuffer, f);
}
GLFWwindowrefreshfun glfwSetWindowRefreshCallback(GLFWwindow* w, GLFWwindowrefreshfun f) {
    return exchanged(w->refresh, f);
}
GLFWwindowfocusfun glfwSetWindowFocusCallback(GLFWwindow* w, GLFWwindowfocusfun f) { return exchanged(w->focus, f); }
GLFWwindowiconifyfun glfwSetWindowIconifyCallback(GLFWwindow* w, GLFWwindowiconifyfun f) {
    return exchanged(w->iconify, f);
}
GLFWwindowclosefun glfwSetWindowCloseCallback(GLFWwindow*, GLFWwindowclosefun) { return nullptr; }
GLFWwindowcontentscalefun glfwSetWindowContentScaleCallback(GLFWwindow* w, GLFWwindowcontentscalefun f) {
    return exchanged(w->scaled, f);
}
}
