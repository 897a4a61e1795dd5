#pragma once
// Shared by the tests of the window: one display, and pictures compared.

#include <array>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "app/picture/frame/frame_renderer.h"
#include "app/viewer/loop/viewer_window.h"
#include "app/window/gl/gl_objects.h"
#include "app/window/window.h"
#include "gpu/interop/present_target.h"
#include "tests/gui/screen.h"

namespace texelscope::test {

// A viewer in a real window, driven with mouse and keys, and its state and display: as a program of its own
// (ViewerProgram), or in the test's process (ViewerInProcess).

// A path below the folder for temporary files that only this process uses: GUI tests run side by side.
std::string scratch(const std::string& name);

class ViewerUnderTest {
public:
    using Predicate = std::function<bool(const nlohmann::json& state)>;

    // On the first start there is a hint, which goes after some seconds: few tests want that.
    enum class Start { usual, first };

    virtual ~ViewerUnderTest();

    // The state once nothing changes any more.
    virtual nlohmann::json settled_state() = 0;

    // Does `action`, then waits for a state that satisfies the predicate. False if none came.
    virtual bool change(const std::function<void()>& action, const Predicate& predicate, double seconds = 10) = 0;

    // Its XDG_RUNTIME_DIR, in which it listens.
    std::string runtime_folder() const { return settings_ + "/run"; }

    // Its XDG_CACHE_HOME.
    std::string cache_folder() const { return settings_ + "/cache"; }

    virtual bool running() = 0;
    virtual int wait_for_end(double seconds) = 0;  // its exit status
    nlohmann::json saved_settings() const;

    // Mouse and keys, which have the names of X keysyms: "ctrl+shift+p", "Next". Positions are output pixels of the picture,
    // as fractions of its size.
    void move_to(double x, double y);
    virtual void move_pointer(int x, int y) = 0;                            // on the screen
    virtual void wheel(int notches, const std::string& modifier = "") = 0;  // positive: zooms in
    virtual void press_button(int button = 1) = 0;
    virtual void release_button(int button = 1) = 0;
    void drag(double from_x, double from_y, double to_x, double to_y, int button = 1);
    virtual void key(const std::string& name) = 0;
    virtual void keys(const std::vector<std::string>& names) = 0;  // as fast as can be
    virtual void type(const std::string& text) = 0;                // into the field that has the keyboard
    // Drags files here from another program and drops them. False if they are not taken.
    virtual bool drop(const std::vector<std::string>& files, double x, double y) = 0;
    void click_control(const std::string& id);  // by the names that --trace-state gives
    virtual void resize(int width, int height) = 0;

    // What the picture area shows on the screen now, and what `texelscope render`, or the library if a warp or the like
    // is beyond it, gives for the same state: 8 bits, of 1, 3 or 4 channels.
    Image shown_picture();
    // What is on the screen there at once, whether or not it is at rest: x, y, width, height.
    Image shown_part(const std::array<int, 4>& place);
    Image rendered_picture();

    // What a pane shows on the screen now, and what the library gives for its spec and its view.
    Image shown_pane(int pane);
    Image rendered_pane(int pane);
    // The same as floats, unclamped; and with another spec.
    Image rendered_pane_values(int pane);
    Image rendered_with(int pane, const std::string& spec);

protected:
    explicit ViewerUnderTest(const Screen& screen, Start start = Start::usual);

    // What makes it testable, then these. The window fills the screen's left upper 1280×800 pixels, unless they say else.
    static std::vector<std::string> command(std::vector<std::string> arguments);

    // The variables that keep this machine's user out of it.
    std::map<std::string, std::string> environment() const;

    // Whether nothing is on its way that changes a state by itself.
    static bool settled(const nlohmann::json& state);

    std::array<int, 4> picture();  // x, y, width, height on the screen

    const Screen& screen_;

    // Draws what is to be seen, if that is not done with every frame.
    virtual void show() {}

private:
    std::string settings_;  // its own folder
};

// The viewer in the test's own process, whose loop the test turns: nothing sleeps, and what happens does not depend on how
// busy the machine is. Its window gets events as from an X server's keyboard and mouse. Nothing is drawn until a test
// looks: where a processor draws, that takes most of the time.

class ViewerInProcess : public ViewerUnderTest {
public:
    ViewerInProcess(const Screen& screen, std::vector<std::string> arguments, Start start = Start::usual);
    ~ViewerInProcess() override;

    nlohmann::json settled_state() override;
    bool change(const std::function<void()>& action, const Predicate& predicate, double seconds = 10) override;
    bool running() override { return viewer_ != nullptr; }
    int wait_for_end(double seconds) override;

    void move_pointer(int x, int y) override;
    void wheel(int notches, const std::string& modifier = "") override;
    void press_button(int button = 1) override;
    void release_button(int button = 1) override;
    void click();  // within one frame
    void double_click();
    void key(const std::string& name) override;
    void keys(const std::vector<std::string>& names) override;  // all before the next turn
    void type(const std::string& text) override;
    void resize(int width, int height) override;
    void close();  // as the window's own button does
    void hold(const std::string& modifier);
    void release(const std::string& modifier);
    bool drop(const std::vector<std::string>& files, double x, double y) override;

    // Draws every frame from now on, for tests of what records them.
    void draw_always();

    // A hand's pause, or a longer one: the program's clock goes on at once.
    void pass(double seconds);

    // Turns of its loop so far; and those that follow within these seconds, of real time, if nothing happens.
    int turns() const { return turns_; }
    void wait(double seconds);

    // What this thread computed in the longest turn of the loop since the last call: milliseconds. What the test itself does
    // between turns, and what other threads and programs do, does not count.
    double take_longest_turn() { return std::exchange(longest_ms_, 0.0); }

protected:
    void show() override;

private:
    void turn(double longest = 0);
    bool turn_until(const std::function<bool()>& over, double seconds);
    void come_to_rest();
    nlohmann::json state() const;
    void send_key(unsigned long symbol, bool down);
    void send_button(unsigned button, bool down);
    void stroke(const std::string& name);
    void click_of(unsigned button);

    std::map<std::string, std::optional<std::string>> before_;  // of the environment
    std::unique_ptr<texelscope::Viewer> viewer_;                // none once it has ended
    struct Wanted {
        Predicate state;
        bool came = false;
    };
    std::vector<Wanted> wanted_;  // by change(), whose action may change more
    double longest_ms_ = 0;
    int turns_ = 0;
    bool draws_always_ = false;
    unsigned held_ = 0;                     // modifiers, as X counts them
    unsigned long time_ = 0;                // of the last event, milliseconds
    std::pair<int, int> pointer_ = {0, 0};  // in the window
};

// The real program in a process of its own, driven by xdotool.

class ViewerProgram : public ViewerUnderTest {
public:
    ViewerProgram(const Screen& screen, std::vector<std::string> arguments);
    ~ViewerProgram() override;

    nlohmann::json settled_state() override;
    bool change(const std::function<void()>& action, const Predicate& predicate, double seconds = 10) override;
    bool running() override { return process_->running(); }
    int wait_for_end(double seconds) override { return process_->wait(seconds); }
    void terminate() { process_->terminate(); }
    void send(int signal) { process_->send(signal); }
    double processor_seconds() const { return process_->processor_seconds(); }

    void move_pointer(int x, int y) override;
    void wheel(int notches, const std::string& modifier = "") override;
    void press_button(int button = 1) override;
    void release_button(int button = 1) override;
    void key(const std::string& name) override { do_input({"key", name}); }
    void keys(const std::vector<std::string>& names) override;
    void type(const std::string& text) override;
    void resize(int width, int height) override;
    void hide() { do_input({"windowunmap", window_}); }
    void show();
    bool drop(const std::vector<std::string>& files, double x, double y) override;

    // Everything the program wrote to stderr besides states.
    std::string messages();

    // What it said of turns of its loop that took longer than a frame.
    std::string slow_turns();

private:
    void do_input(const std::vector<std::string>& arguments);  // of xdotool
    void wait_until_still();
    std::string lines_where(bool (*wanted)(const std::string& line));
    static nlohmann::json parse(const std::string& line);
    void find_window();

    std::unique_ptr<Process> process_;
    std::string window_;
    size_t lines_at_input_ = 0;                 // that the program had written by then
    std::optional<size_t> lines_when_settled_;  // that the program had written; none if there was input since
};

struct Difference {
    int pixels = 0;  // compared
    int worst = 0;   // levels
    int differing = 0;
};

// Over the rows from a quarter to three quarters: labels, legend and hint are at the edges. `b` has 1, 3 or 4 channels.
// Only columns from `first` to `last`.
Difference compare_middle(const Image& a, const Image& b, int first = 0, int last = -1);

// The part of a picture, which has 3 channels of 8 bits.
Image cut_out(const Image& image, int x, int y, int width, int height);

// While it lives, the process is in this folder, which is made, and removed in the end.
class CurrentFolder {
public:
    explicit CurrentFolder(std::filesystem::path folder);
    ~CurrentFolder();

private:
    const std::filesystem::path before_ = std::filesystem::current_path(), folder_;
};

class ViewerTest : public testing::Test {
protected:
    static void SetUpTestSuite() { screen_ = new Screen; }
    static void TearDownTestSuite() {
        delete screen_;
        screen_ = nullptr;
    }
    void SetUp() override;

    // docs/fidelity.md: GPU and CPU pictures are equal except for one level in at most 0.01 % of values.
    static void expect_same(const Image& shown, const Image& rendered, const std::string& when, int first = 0,
                            int last = -1);
    static void expect_same_picture(ViewerUnderTest& viewer, const std::string& when);
    // By the dialog. The state afterwards; null if there is no file.
    static nlohmann::json save_session(ViewerUnderTest& viewer, const std::string& file);

    // Work of so many milliseconds was done beside the loop: in one of its turns it would have computed for about as long.
    // Drawing a frame is a small part of that.
    static void expect_loop_was_free(ViewerInProcess& viewer, double work_ms);

    static Screen* screen_;
};

// What tests of frames share.

// Frames by the program's own code in this process, in a hidden window.
class Frame : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        if (IsSkipped()) return;
        setenv("DISPLAY", screen_->display().c_str(), 1);
        unsetenv("WAYLAND_DISPLAY");
        Window::Options options;
        options.width = options.height = 64;
        options.visible = false;
        window_.emplace(options);
    }

    // `panes` methods over an image, in a grid.
    static AppState grid_of(int panes, const std::string& source) {
        AppState state;
        state.scene.panes.clear();
        for (int i = 0; i < panes; ++i)
            state.scene.panes.push_back({default_spec(*all_methods()[size_t(i) % all_methods().size()])});
        state.scene.arrangement = panes > 1 ? Arrangement::grid : Arrangement::single;
        Document& document = state.scene.documents.emplace_back();
        document.source = source;
        document.image = std::make_shared<Image>(load_image(source));
        document.view = {0, 0, 0.25, 10};
        document.keep_fit = false;
        state.scene.current = 0;
        state.places.picture = {0, 0, width, height};
        return state;
    }

    // The picture of a frame by this plan.
    static Image drawn(FrameRenderer& renderer, const FramePlan& plan) {
        const Offscreen offscreen(width, height);
        const auto problem = renderer.update(plan);
        EXPECT_FALSE(problem) << *problem;
        renderer.draw(plan, height);
        return offscreen.picture();
    }

    static int differing(const Image& a, const Image& b) {
        int count = 0;
        for (int y = 0; y < a.height(); ++y)
            for (size_t i = 0; i < a.row_bytes(); ++i) count += a.row_as<uint8_t>(y)[i] != b.row_as<uint8_t>(y)[i];
        return count;
    }

    static constexpr int width = 640, height = 480;
    std::optional<Window> window_;
};

// A copy that arrives when the test says that it does.
class LateCopy final : public HostCopy {
public:
    LateCopy(std::unique_ptr<HostCopy> copy, const bool& arrived) : copy_(std::move(copy)), arrived_(arrived) {}
    void start(const void* memory, size_t bytes) override { copy_->start(memory, bytes); }
    bool ready() override { return arrived_ && copy_->ready(); }
    const void* data() const override { return copy_->data(); }

private:
    std::unique_ptr<HostCopy> copy_;
    const bool& arrived_;
};

inline MakeHostCopy late_copies(const bool& arrived) {
    return [&arrived](std::shared_ptr<Backend> backend) {
        return std::make_unique<LateCopy>(make_host_copy(std::move(backend)), arrived);
    };
}

// The rectangle of a control on the screen.
struct ControlBox {
    double x = 0, y = 0, width = 0, height = 0;
    double bottom() const { return y + height; }
    bool operator==(const ControlBox&) const = default;
};
ControlBox control_box(const nlohmann::json& state, const std::string& id);

// The error of a line of a text: directly under it, and above the next line; all within the field.
void expect_under_its_line(const nlohmann::json& state, const std::string& field, int line);

// Several lines, each begun by Enter but for the first.
void type_lines(ViewerUnderTest& viewer, const std::string& text);

// Opens the editor of kernels; whether it is there.
bool open_kernel(ViewerUnderTest& viewer);

// The words that did not have the space they need.
inline std::vector<std::string> cut_words(const nlohmann::json& state) {
    std::vector<std::string> cut;
    for (const auto& [id, box] : state.at("controls").items())
        if (id.starts_with("cut:")) cut.push_back(id.substr(4));
    return cut;
}

}  // namespace texelscope::test
