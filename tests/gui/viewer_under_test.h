#pragma once
// The real program in a real window, driven with mouse and keys, and its output and display.

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/gui/screen.h"

namespace texelscope::test {

// A path below the folder for temporary files that only this process uses: GUI tests run side by side.
std::string scratch(const std::string& name);

class ViewerUnderTest {
public:
    // Starts the program with these arguments besides those that make it testable. The window fills the screen's
    // left upper 1280×800 pixels.
    ViewerUnderTest(const Screen& screen, std::vector<std::string> arguments);
    ~ViewerUnderTest();

    // The state after the last change; waits until nothing has changed for a moment.
    nlohmann::json settled_state();

    // Does `action`, then waits for a state that satisfies the predicate. False if none came.
    template <class Action, class Predicate> bool change(Action action, Predicate predicate, double seconds = 10) {
        const size_t from = process_->lines().size();
        action();
        return process_->wait_for_line(
                   from,
                   [&](const std::string& line) {
                       const auto state = parse(line);
                       return !state.is_null() && predicate(state);
                   },
                   seconds) >= 0;
    }

    // Its XDG_RUNTIME_DIR, in which it listens.
    std::string runtime_folder() const { return settings_ + "/run"; }

    // Its XDG_CACHE_HOME.
    std::string cache_folder() const { return settings_ + "/cache"; }

    bool running() { return process_->running(); }
    int wait_for_end(double seconds) { return process_->wait(seconds); }
    void terminate() { process_->terminate(); }
    nlohmann::json saved_settings() const;
    double processor_seconds() const { return process_->processor_seconds(); }

    // Mouse and keys. Positions are output pixels of the picture, as fractions of its size.
    void move_to(double x, double y);
    void wheel(int notches, const std::string& modifier = "");  // positive: zooms in
    void drag(double from_x, double from_y, double to_x, double to_y, int button = 1);
    // Drags files here from another program and drops them. False if they are not taken.
    bool drop(const std::vector<std::string>& files, double x, double y);
    void key(const std::string& name);
    void keys(std::vector<std::string> names);
    void click_control(const std::string& id);  // by the names that --trace-state gives
    void resize(int width, int height);
    void hide();
    void show();

    // What the picture area shows on the screen now, and what `texelscope render`, or the library if a warp or the like
    // is beyond it, gives for the same state: 8 bits, of 1, 3 or 4 channels.
    Image shown_picture();
    Image rendered_picture();

    // What a pane shows on the screen now, and what the library gives for its spec and its view.
    Image shown_pane(int pane);
    Image rendered_pane(int pane);
    // The same as floats, unclamped; and with another spec.
    Image rendered_pane_values(int pane);
    Image rendered_with(int pane, const std::string& spec);

    // Types text into the field that has the keyboard.
    void type(const std::string& text);

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
    Image shown_part(const std::array<int, 4>& place);
    std::array<int, 4> picture();  // x, y, width, height on the screen

    const Screen& screen_;
    std::string settings_;  // its own folder: the settings of this machine's user must not matter
    std::unique_ptr<Process> process_;
    std::string window_;
    size_t lines_at_input_ = 0;                 // that the program had written by then
    std::optional<size_t> lines_when_settled_;  // that the program had written; none if there was input since
};

}  // namespace texelscope::test
