#pragma once
// The viewer in the test's own process, whose loop the test turns: nothing sleeps, and what happens does not depend on how
// busy the machine is. Its window gets events as from an X server's keyboard and mouse.

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "app/viewer/loop/viewer.h"
#include "tests/gui/viewer_under_test.h"

namespace texelscope::test {

class ViewerInProcess : public ViewerUnderTest {
public:
    ViewerInProcess(const Screen& screen, std::vector<std::string> arguments);
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

    // A hand's pause, or a longer one: the program's clock goes on at once.
    void pass(double seconds);

    // Turns of its loop so far; and those that follow within these seconds, of real time, if nothing happens.
    int turns() const { return turns_; }
    void wait(double seconds);

    // What this thread computed in the longest turn of the loop since the last call: milliseconds. What the test itself does
    // between turns, and what other threads and programs do, does not count.
    double take_longest_turn() { return std::exchange(longest_ms_, 0.0); }

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
    unsigned held_ = 0;                     // modifiers, as X counts them
    unsigned long time_ = 0;                // of the last event, milliseconds
    std::pair<int, int> pointer_ = {0, 0};  // in the window
};

}  // namespace texelscope::test
