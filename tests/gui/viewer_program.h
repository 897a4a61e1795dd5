#pragma once
// The real program in a process of its own, driven by xdotool.

#include <memory>
#include <optional>

#include "tests/gui/viewer_under_test.h"

namespace texelscope::test {

class ViewerProgram : public ViewerUnderTest {
public:
    ViewerProgram(const Screen& screen, std::vector<std::string> arguments);
    ~ViewerProgram() override;

    nlohmann::json settled_state() override;
    bool change(const std::function<void()>& action, const Predicate& predicate, double seconds = 10) override;
    bool running() override { return process_->running(); }
    int wait_for_end(double seconds) override { return process_->wait(seconds); }
    void terminate() { process_->terminate(); }
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

}  // namespace texelscope::test
