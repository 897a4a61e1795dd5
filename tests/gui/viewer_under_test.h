#pragma once
// A viewer in a real window, driven with mouse and keys, and its state and display: as a program of its own
// (ViewerProgram), or in the test's process (ViewerInProcess).

#include <array>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/gui/screen.h"

namespace texelscope::test {

// A path below the folder for temporary files that only this process uses: GUI tests run side by side.
std::string scratch(const std::string& name);

class ViewerUnderTest {
public:
    using Predicate = std::function<bool(const nlohmann::json& state)>;

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
    Image rendered_picture();

    // What a pane shows on the screen now, and what the library gives for its spec and its view.
    Image shown_pane(int pane);
    Image rendered_pane(int pane);
    // The same as floats, unclamped; and with another spec.
    Image rendered_pane_values(int pane);
    Image rendered_with(int pane, const std::string& spec);

protected:
    explicit ViewerUnderTest(const Screen& screen);

    // What makes it testable, then these. The window fills the screen's left upper 1280×800 pixels.
    static std::vector<std::string> command(std::vector<std::string> arguments);

    // The variables that keep this machine's user out of it.
    std::map<std::string, std::string> environment() const;

    // Whether nothing is on its way that changes a state by itself.
    static bool settled(const nlohmann::json& state);

    std::array<int, 4> picture();  // x, y, width, height on the screen

    const Screen& screen_;

private:
    Image shown_part(const std::array<int, 4>& place);

    std::string settings_;  // its own folder
};

}  // namespace texelscope::test
