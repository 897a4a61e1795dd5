#include "app/window/window.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <glad/gl.h>
#include <unistd.h>

#include "app/files/bytes/embedded_files.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/png.h"
#include "gpu/core/errors.h"
#include "gpu/interop/present_target.h"

namespace texelscope {
namespace {

std::string last_glfw_error;

std::atomic<bool> is_there = false;  // a window

GLFWwindow* create(const Window::Options& options, int major, int minor) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug);
    glfwWindowHint(GLFW_VISIBLE, options.visible);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_FALSE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "texelscope");
    return glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
}

// The monitor that shows most of the window.
GLFWmonitor* monitor_of(GLFWwindow* window) {
    int wx, wy, ww, wh, count = 0;
    glfwGetWindowPos(window, &wx, &wy);
    glfwGetWindowSize(window, &ww, &wh);
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    long best_area = 0;
    for (int i = 0; i < count; ++i) {
        int mx, my;
        glfwGetMonitorPos(monitors[i], &mx, &my);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (!mode) continue;
        const long w = std::min(wx + ww, mx + mode->width) - std::max(wx, mx);
        const long h = std::min(wy + wh, my + mode->height) - std::max(wy, my);
        if (w > 0 && h > 0 && w * h > best_area) best = monitors[i], best_area = w * h;
    }
    return best;
}

// The window manager chooses among the sizes. Where windows have no icons of their own (Wayland), this does nothing.
void set_icon(GLFWwindow* window) {
    std::vector<Image> icons;
    for (const EmbeddedFile& file : embedded_icons()) icons.push_back(parse_png(std::as_bytes(std::span(file.text))));
    std::vector<GLFWimage> images;
    for (Image& icon : icons)
        images.push_back({icon.width(), icon.height(), reinterpret_cast<unsigned char*>(icon.data())});
    glfwSetWindowIcon(window, int(images.size()), images.data());
}

float clamped_scale(float x, float y) { return std::clamp(std::max(x, y), 0.5f, 4.0f); }

// The scale of the monitor that a new window most likely opens on.
float expected_scale() {
    float x = 1, y = 1;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) glfwGetMonitorContentScale(monitor, &x, &y);
    return clamped_scale(x, y);
}

// An X server whose last client has gone starts anew, and drops who connects meanwhile: it answers the next time.
bool connect_to_display() {
    constexpr int attempts = 5;
    constexpr std::chrono::milliseconds pause(100);
    const char* display = std::getenv("DISPLAY");
    for (int left = display && *display ? attempts : 1; left > 0; --left) {
        if (glfwInit()) return true;
        if (left > 1) std::this_thread::sleep_for(pause);
    }
    return false;
}

}  // namespace

Window::Window(const Options& options) : title_(options.title) {
    name_lost_display();
    glfwSetErrorCallback([](int, const char* text) { last_glfw_error = text; });
    if (!connect_to_display())
        throw Unavailable(
            fmt::format("no display: neither X11 nor Wayland responds ({}); set DISPLAY, or use `texelscope render` or "
                        "`xvfb-run texelscope --screenshot out.png`",
                        last_glfw_error));
    if (options.connected) options.connected(expected_scale());
    window_ = create(options, 4, 5);
    if (!window_) window_ = create(options, 3, 3);
    if (!window_) {
        glfwTerminate();
        throw Unavailable(
            fmt::format("the display offers no OpenGL 3.3 core context ({}); `texelscope render` works without it",
                        last_glfw_error));
    }
    set_icon(window_);
    glfwMakeContextCurrent(window_);
    if (!gladLoadGL(glfwGetProcAddress)) {
        glfwDestroyWindow(window_);
        glfwTerminate();
        throw Unavailable("OpenGL's functions cannot be loaded");
    }
    glfwSwapInterval(1);
    glfwGetCursorPos(window_, &input_.cursor_x, &input_.cursor_y);
    input_.minimised = glfwGetWindowAttrib(window_, GLFW_ICONIFIED);
    measure();
    fill_from_callbacks(input_, window_);
    is_there = true;
}

Window::~Window() {
    is_there = false;
    glfwDestroyWindow(window_);
    glfwTerminate();
}

void Window::measure() {
    if (!input_.sizes_outdated) return;  // each query is a round trip to the display server
    // Two queries to the display server: while a window is being resized, the answers may come from different moments
    // and their ratio would be meaningless. Only an answer that is the same before and after counts.
    for (int attempt = 0; attempt < 4; ++attempt) {
        Extent before, pixels, after;
        glfwGetWindowSize(window_, &before.width, &before.height);
        glfwGetFramebufferSize(window_, &pixels.width, &pixels.height);
        glfwGetWindowSize(window_, &after.width, &after.height);
        if (!(before == after)) continue;
        size_ = before;
        framebuffer_ = pixels;
        const float ratio = before.width > 0 ? float(pixels.width) / float(before.width) : 0;
        if (ratio >= 0.5f && ratio <= 4) input_.pixel_ratio = ratio;
        input_.sizes_outdated = false;
        break;
    }
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    content_scale_ = clamped_scale(x, y);
}

bool Window::shift_down() const {
    return glfwGetKey(window_, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS ||
           glfwGetKey(window_, GLFW_KEY_RIGHT_SHIFT) == GLFW_PRESS;
}

bool Window::ctrl_down() const {
    return glfwGetKey(window_, GLFW_KEY_LEFT_CONTROL) == GLFW_PRESS ||
           glfwGetKey(window_, GLFW_KEY_RIGHT_CONTROL) == GLFW_PRESS;
}

bool Window::take_close() {
    const bool asked = glfwWindowShouldClose(window_);
    if (asked) glfwSetWindowShouldClose(window_, GLFW_FALSE);
    return asked;
}

void Window::set_title(const std::string& title) {
    if (title == title_) return;
    title_ = title;
    glfwSetWindowTitle(window_, title.c_str());
}

void Window::set_clipboard(const std::string& text) { glfwSetClipboardString(window_, text.c_str()); }

bool Window::fullscreen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void Window::toggle_fullscreen() {
    if (fullscreen()) {
        glfwSetWindowMonitor(window_, nullptr, windowed_x_, windowed_y_, windowed_.width, windowed_.height,
                             GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor* monitor = monitor_of(window_);
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return;
    glfwGetWindowPos(window_, &windowed_x_, &windowed_y_);
    windowed_ = size_;
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

Extent Window::windowed_size() const { return fullscreen() ? windowed_ : size(); }

void Window::swap() { glfwSwapBuffers(window_); }

void Window::hide() { glfwHideWindow(window_); }

void Window::ask_for_attention() { glfwRequestWindowAttention(window_); }

std::string Window::shading_language() {
    const std::string_view shader = embedded_shaders().front().text;
    return std::string(shader.substr(0, shader.find('\n')));
}

void Window::wake() {
    if (is_there) glfwPostEmptyEvent();
}

bool Window::wait(double seconds) {
    if (seconds < 0) glfwWaitEvents();
    else if (seconds == 0) glfwPollEvents();
    else glfwWaitEventsTimeout(seconds);
    return std::exchange(input_.woken, false);  // also what happened before: a page's events come at any time
}

std::optional<double> Window::take_input_time() { return std::exchange(input_.input_time, {}); }

std::vector<InputEvent> Window::take_events() { return std::exchange(input_.events, {}); }

Presentation probe_presentation() {
    Presentation result;
    try {
        Window::Options options;
        options.visible = false;
        options.width = options.height = 64;
        const Window window(options);
        const auto text = [](GLenum name) { return reinterpret_cast<const char*>(glGetString(name)); };
        result.opengl = fmt::format("{} on {}", text(GL_VERSION), text(GL_RENDERER));
        Presenter presenter = make_presenter(BackendChoice::automatic);
        result.rung = name_of(presenter.target->rung());
        result.reason = presenter.reason;
        const BackendInfo& info = presenter.backend->info();
        result.device = info.kind == BackendKind::cpu
                            ? info.device
                            : fmt::format("{} (CUDA device {})", info.device, info.device_index);
        presenter.target.reset();  // while the context is current
    } catch (const Error& error) {
        if (result.opengl.empty()) result.opengl = fmt::format("none: {}", error.what());
        result.rung = "nothing";
        result.reason = error.what();
    }
    return result;
}

namespace {

// A handler may do little more than write to a pipe; a thread reads from it and wakes the window.
std::atomic<int> pipe_to_write = -1;
constexpr char close_window = 'c', no_more = 'n';

void tell(char what) {
    const int error = errno;
    static_cast<void>(::write(pipe_to_write, &what, 1) == 1);
    errno = error;
}

}  // namespace

CloseSignals::CloseSignals(const Window& window) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    read_ = ends[0];
    pipe_to_write = ends[1];
    waiting_ = std::thread([descriptor = read_, handle = window.handle()] {
        for (char what = 0; ::read(descriptor, &what, 1) == 1 && what == close_window;) {
            glfwSetWindowShouldClose(handle, GLFW_TRUE);
            glfwPostEmptyEvent();
        }
    });
    struct sigaction action {};
    action.sa_handler = [](int) { tell(close_window); };
    action.sa_flags = int(SA_RESETHAND) | SA_RESTART;
    for (size_t i = 0; i < signals.size(); ++i) {
        ::sigaction(signals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
    }
}

CloseSignals::~CloseSignals() {
    if (read_ < 0) return;
    for (size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
    tell(no_more);
    waiting_.join();
    ::close(read_);
    ::close(pipe_to_write.exchange(-1));
}

}  // namespace texelscope
