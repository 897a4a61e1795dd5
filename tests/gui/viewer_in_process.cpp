#include "tests/gui/viewer_test.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <stdexcept>

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include "app/cli/command_line.h"
#include "app/viewer/loop/viewer_window.h"
#include "gpu/core/timing.h"
#include "tests/gui/screen.h"

// Last: its macros (None, Bool) are names elsewhere.
#include <X11/Xlib.h>
#include <X11/keysym.h>

// From GLFW/glfw3native.h, which needs headers of extensions that nothing else here does.
extern "C" {
Display* glfwGetX11Display();
::Window glfwGetX11Window(GLFWwindow* window);
}

namespace texelscope::test {
namespace {

constexpr double hands_pause = 0.5;  // seconds: two clicks are no double click

struct Modifier {
    const char* name;
    KeySym symbol;
    unsigned mask;
};
constexpr Modifier modifiers[] = {
    {"ctrl", XK_Control_L, ControlMask}, {"shift", XK_Shift_L, ShiftMask}, {"alt", XK_Alt_L, Mod1Mask}};

const Modifier* modifier_of(const std::string& name) {
    const auto* found =
        std::find_if(std::begin(modifiers), std::end(modifiers), [&](const Modifier& m) { return m.name == name; });
    return found == std::end(modifiers) ? nullptr : found;
}

// Whether Shift is held for it on the keyboard of the display.
bool needs_shift(KeySym symbol) {
    Display* display = glfwGetX11Display();
    int count = 0;
    KeySym* all = XGetKeyboardMapping(display, XKeysymToKeycode(display, symbol), 1, &count);
    const bool shifted = count > 1 && all[0] != symbol && all[1] == symbol;
    XFree(all);
    return shifted;
}

// Moves the pointer of the display beside the window that will open, where it has nothing to say.
void put_pointer_aside(const std::string& display) {
    const std::unique_ptr<Display, int (*)(Display*)> connection(XOpenDisplay(display.c_str()), XCloseDisplay);
    if (!connection) return;
    XWarpPointer(connection.get(), None, DefaultRootWindow(connection.get()), 0, 0, 0, 0, Screen::width - 1,
                 Screen::height - 1);
    XSync(connection.get(), False);
}

}  // namespace

ViewerInProcess::ViewerInProcess(const Screen& screen, std::vector<std::string> arguments, Start start)
    : ViewerUnderTest(screen, start) {
    for (const auto& [name, value] : environment()) {
        const char* old = std::getenv(name.c_str());
        before_[name] = old ? std::optional<std::string>(old) : std::nullopt;
        if (value.empty()) unsetenv(name.c_str());
        else setenv(name.c_str(), value.c_str(), 1);
    }
    std::vector<std::string> words = command(std::move(arguments));
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    put_pointer_aside(screen.display());
    const int status = run_command_line(int(argv.size()), argv.data(), [this](const ViewerOptions& options) {
        viewer_ = std::make_unique<texelscope::Viewer>(options);
        return 0;
    });
    if (status != 0 || !viewer_) throw std::runtime_error("the viewer does not open");
    glfwSetWindowPos(viewer_->window().window().handle(), 0, 0);
    viewer_->window().gui().log_controls();
    viewer_->window().begin();
    glEnable(GL_RASTERIZER_DISCARD);
    turn();
}

void ViewerInProcess::show() {
    if (!viewer_) return;
    glDisable(GL_RASTERIZER_DISCARD);
    Display* display = glfwGetX11Display();
    XEvent event{};
    event.xexpose.type = Expose;
    event.xexpose.display = display;
    event.xexpose.window = glfwGetX11Window(viewer_->window().window().handle());
    XSendEvent(display, event.xexpose.window, False, ExposureMask, &event);
    XSync(display, False);
    turn();
    glFinish();
    XSync(display, False);
    if (!draws_always_) glEnable(GL_RASTERIZER_DISCARD);
}

void ViewerInProcess::draw_always() {
    draws_always_ = true;
    glDisable(GL_RASTERIZER_DISCARD);
}

ViewerInProcess::~ViewerInProcess() {
    viewer_.reset();
    for (const auto& [name, value] : before_) {
        if (value) setenv(name.c_str(), value->c_str(), 1);
        else unsetenv(name.c_str());
    }
}

nlohmann::json ViewerInProcess::state() const {
    AppState& state = viewer_->state();
    auto json = nlohmann::json::parse(state_as_json(state, viewer_->window().gui().controls()));
    json["frames"] = state.report.frame.frames_drawn;
    return json;
}

void ViewerInProcess::turn(double longest) {
    if (!viewer_) return;
    if (viewer_->window().ends()) {
        viewer_->window().hide();
        viewer_->keep_settings();
        viewer_.reset();
        return;
    }
    const double before = thread_ms();
    viewer_->window().take_turn(longest);
    ++turns_;
    longest_ms_ = std::max(longest_ms_, thread_ms() - before);
    if (std::all_of(wanted_.begin(), wanted_.end(), [](const Wanted& each) { return each.came; })) return;
    const nlohmann::json now = state();
    for (Wanted& each : wanted_) each.came = each.came || each.state(now);
}

bool ViewerInProcess::turn_until(const std::function<bool()>& over, double seconds) {
    const StopWatch watch;
    bool done = over();
    while (!done && viewer_ && watch.ms() < 1000 * seconds) {
        turn(0.25);
        done = over();
    }
    return done;
}

void ViewerInProcess::wait(double seconds) {
    turn_until([] { return false; }, seconds);
}

void ViewerInProcess::come_to_rest() {
    turn();
    turn_until([this] { return !viewer_ || viewer_->window().rests(); }, 60);
}

void ViewerInProcess::pass(double seconds) {
    if (viewer_) glfwSetTime(glfwGetTime() + seconds);
    come_to_rest();
}

nlohmann::json ViewerInProcess::settled_state() {
    nlohmann::json last;
    const auto rests = [&] {
        if (!viewer_ || !viewer_->window().rests()) return !viewer_;
        last = state();
        return settled(last);
    };
    turn();
    turn_until(rests, 60);
    pass(hands_pause);
    // What is about to change by itself has done so: a message goes, and a window takes its place.
    for (int i = 0; i < 20 && viewer_ && viewer_->window().wake_up().draws_by(glfwGetTime() + 1); ++i) pass(1);
    turn_until(rests, 60);
    return last;
}

bool ViewerInProcess::change(const std::function<void()>& action, const Predicate& predicate, double seconds) {
    struct Watch {
        explicit Watch(ViewerInProcess& viewer, const Predicate& state) : all(viewer.wanted_) {
            all.push_back({state});
        }
        ~Watch() { all.pop_back(); }
        std::vector<Wanted>& all;
    };
    const Watch watch(*this, predicate);
    action();
    return turn_until([this] { return wanted_.back().came; }, seconds);
}

int ViewerInProcess::wait_for_end(double seconds) {
    return turn_until([this] { return !viewer_; }, seconds) ? 0 : -1;
}

void ViewerInProcess::send_key(unsigned long symbol, bool down) {
    Display* display = glfwGetX11Display();
    XEvent event{};
    XKeyEvent& key = event.xkey;
    key.type = down ? KeyPress : KeyRelease;
    key.display = display;
    key.window = glfwGetX11Window(viewer_->window().window().handle());
    key.root = DefaultRootWindow(display);
    key.time = time_ += 50;
    key.x = pointer_.first;
    key.y = pointer_.second;
    key.state = held_;
    key.keycode = XKeysymToKeycode(display, symbol);
    key.same_screen = True;
    XSendEvent(display, key.window, True, down ? KeyPressMask : KeyReleaseMask, &event);
    XSync(display, False);
}

void ViewerInProcess::send_button(unsigned number, bool down) {
    if (!viewer_) return;
    Display* display = glfwGetX11Display();
    XEvent event{};
    XButtonEvent& button = event.xbutton;
    button.type = down ? ButtonPress : ButtonRelease;
    button.display = display;
    button.window = glfwGetX11Window(viewer_->window().window().handle());
    button.root = DefaultRootWindow(display);
    button.time = time_ += 50;
    button.x = pointer_.first;
    button.y = pointer_.second;
    button.state = held_;
    button.button = number;
    button.same_screen = True;
    XSendEvent(display, button.window, True, down ? ButtonPressMask : ButtonReleaseMask, &event);
    XSync(display, False);
}

void ViewerInProcess::click_of(unsigned button) {
    send_button(button, true);
    send_button(button, false);
}

void ViewerInProcess::click() {
    click_of(Button1);
    turn();
}

void ViewerInProcess::move_pointer(int x, int y) {
    if (!viewer_) return;
    Display* display = glfwGetX11Display();
    pointer_ = {x, y};  // the window is at the screen's corner
    XWarpPointer(display, None, DefaultRootWindow(display), 0, 0, 0, 0, x, y);
    XSync(display, False);
    turn();
    turn();  // panels know what is under the mouse with the frame after it
}

void ViewerInProcess::press_button(int button) {
    send_button(unsigned(button), true);
    turn();
}

void ViewerInProcess::release_button(int button) {
    send_button(unsigned(button), false);
    turn();
}

void ViewerInProcess::double_click() {
    for (int i = 0; i < 2; ++i)
        for (const bool down : {true, false}) {
            send_button(Button1, down);
            turn();
        }
}

void ViewerInProcess::wheel(int notches, const std::string& modifier) {
    turn();  // what is under the mouse now
    turn();
    if (!modifier.empty()) hold(modifier);
    for (int i = 0; i < std::abs(notches); ++i) {
        click_of(notches > 0 ? Button4 : Button5);
        turn();
    }
    if (!modifier.empty()) release(modifier);
}

void ViewerInProcess::hold(const std::string& modifier) {
    const Modifier* found = modifier_of(modifier);
    send_key(found->symbol, true);
    held_ |= found->mask;
    turn();
}

void ViewerInProcess::release(const std::string& modifier) {
    const Modifier* found = modifier_of(modifier);
    send_key(found->symbol, false);
    held_ &= ~found->mask;
    turn();
}

// "ctrl+shift+p": its keys go down one after the other, and up again.
void ViewerInProcess::stroke(const std::string& name) {
    if (!viewer_) return;
    std::vector<const Modifier*> with;
    std::string rest = name;
    for (size_t plus; (plus = rest.find('+')) != rest.npos; rest = rest.substr(plus + 1))
        with.push_back(modifier_of(rest.substr(0, plus)));
    const KeySym symbol = XStringToKeysym(rest.c_str());
    ASSERT_NE(XKeysymToKeycode(glfwGetX11Display(), symbol), 0) << "no key for " << name;
    const Modifier* shift = modifier_of("shift");
    if (needs_shift(symbol) && std::find(with.begin(), with.end(), shift) == with.end()) with.push_back(shift);
    for (const Modifier* each : with) {
        send_key(each->symbol, true);
        held_ |= each->mask;
    }
    send_key(symbol, true);
    send_key(symbol, false);
    for (const Modifier* each : with) {
        send_key(each->symbol, false);
        held_ &= ~each->mask;
    }
}

void ViewerInProcess::key(const std::string& name) {
    stroke(name);
    turn();
}

void ViewerInProcess::keys(const std::vector<std::string>& names) {
    for (const std::string& name : names) stroke(name);
    turn();
}

void ViewerInProcess::type(const std::string& text) {
    for (const char character : text) {
        // Latin-1 has the numbers of its keysyms.
        stroke(XKeysymToString(KeySym(static_cast<unsigned char>(character))));
        turn();
    }
}

void ViewerInProcess::resize(int width, int height) {
    GLFWwindow* window = viewer_->window().window().handle();
    glfwSetWindowSize(window, width, height);
    XSync(glfwGetX11Display(), False);
    turn();
}

void ViewerInProcess::close() {
    glfwSetWindowShouldClose(viewer_->window().window().handle(), GLFW_TRUE);
    turn();
}

bool ViewerInProcess::drop(const std::vector<std::string>& files, double x, double y) {
    const auto [left, top, width, height] = picture();
    const int at_x = left + int(x * width), at_y = top + int(y * height);
    std::future<bool> taken = std::async(std::launch::async, [&] {  // GLFW answers it in the turns
        return drop_files(screen_.display(), files, at_x, at_y);
    });
    turn_until([&] { return taken.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }, 20);
    return taken.get();
}

}  // namespace texelscope::test
