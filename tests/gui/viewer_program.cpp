#include "tests/gui/viewer_test.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "tests/gui/screen.h"

namespace texelscope::test {
namespace {

constexpr const char *at_rest = "at rest", *awake = "awake";  // as the program says it

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// First line of a command's output.
std::string output_of(const std::string& command) {
    std::string line;
    if (std::FILE* pipe = popen(command.c_str(), "r")) {
        char buffer[256];
        if (std::fgets(buffer, sizeof buffer, pipe)) line = buffer;
        pclose(pipe);
    }
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    return line;
}

bool is_slow_turn(const std::string& line) { return line.starts_with("slow turn"); }

}  // namespace

ViewerProgram::ViewerProgram(const Screen& screen, std::vector<std::string> arguments) : ViewerUnderTest(screen) {
    arguments.insert(arguments.begin(), "--trace-state");
    process_ = std::make_unique<Process>(command(std::move(arguments)), environment());
    const int first_state = process_->wait_for_line(
        0, [](const std::string& line) { return !parse(line).is_null(); }, 30);
    if (first_state < 0)
        ADD_FAILURE() << "no window within 30 s; the program " << (process_->running() ? "still runs" : "has ended")
                      << " after " << process_->processor_seconds() << " s of processor time, and said:\n"
                      << messages();
    find_window();
}

ViewerProgram::~ViewerProgram() { process_.reset(); }

bool ViewerProgram::change(const std::function<void()>& action, const Predicate& predicate, double seconds) {
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

nlohmann::json ViewerProgram::parse(const std::string& line) {
    if (!line.starts_with('{')) return nullptr;
    return nlohmann::json::parse(line, nullptr, false);
}

void ViewerProgram::do_input(const std::vector<std::string>& arguments) {
    lines_when_settled_.reset();
    lines_at_input_ = process_->lines().size();
    screen_.xdotool(arguments);
    if (arguments.size() > 1 && arguments[1].starts_with("--"))  // with pauses, in which the program may rest
        lines_at_input_ = process_->lines().size();
}

void ViewerProgram::find_window() {
    for (int attempt = 0; attempt < 300 && window_.empty(); ++attempt) {
        window_ =
            output_of("DISPLAY=" + screen_.display() + " xdotool search --onlyvisible --class texelscope 2>/dev/null");
        if (window_.empty()) sleep_ms(100);
    }
    do_input({"windowmove", window_, "0", "0"});
    do_input({"windowfocus", window_});
    const std::string has_focus = "DISPLAY=" + screen_.display() + " xdotool getwindowfocus 2>/dev/null";
    for (int attempt = 0; attempt < 300 && output_of(has_focus) != window_; ++attempt) sleep_ms(20);
}

// A program at rest says so, and takes it back as soon as it has input. While it draws its state may change later; and
// before it has said anything since the input, it may not have seen that yet, or never will: on a busy machine it then waits
// for a processor, instead of sleeping.
void ViewerProgram::wait_until_still() {
    if (lines_when_settled_ == process_->lines().size()) return;  // no input since, and nothing was said
    constexpr int step_ms = 40, while_resting_ms = 120, otherwise_ms = 400;
    std::string last_state, last_word;
    size_t seen = 0;
    bool rests = false;
    int busy_ms = 10000;  // of its own drawing, at most
    for (int still_ms = 0; still_ms < (rests ? while_resting_ms : otherwise_ms); still_ms += step_ms) {
        std::string state, word;
        const auto lines = process_->lines();
        seen = lines.size();
        for (size_t i = seen; i-- > 0 && (state.empty() || word.empty());) {
            if (lines[i].starts_with('{') && state.empty()) state = lines[i];
            if ((lines[i] == at_rest || lines[i] == awake) && word.empty()) word = lines[i];
        }
        const auto since_input = lines.begin() + std::ptrdiff_t(std::min(lines_at_input_, seen));
        const bool woke = std::find(since_input, lines.end(), awake) != lines.end();
        if (state != last_state || word != last_word) still_ms = 0;
        if (!process_->sleeps() && (busy_ms -= step_ms) > 0) still_ms = 0;
        last_state = std::move(state);
        last_word = std::move(word);
        rests = woke && last_word == at_rest;
        sleep_ms(step_ms);
    }
    if (last_word == at_rest) lines_when_settled_ = seen;
}

nlohmann::json ViewerProgram::settled_state() {
    const auto last_state = [this] {
        const auto lines = process_->lines();
        for (size_t i = lines.size(); i-- > 0;)
            if (auto state = parse(lines[i]); !state.is_null()) return state;
        return nlohmann::json();
    };
    for (int attempt = 0; attempt < 150; ++attempt) {
        wait_until_still();
        const auto state = last_state();
        if (state.is_null() || settled(state)) return state;
        lines_when_settled_.reset();
    }
    return last_state();
}

void ViewerProgram::move_pointer(int x, int y) {
    do_input({"mousemove", std::to_string(x), std::to_string(y)});
    sleep_ms(50);
}

void ViewerProgram::wheel(int notches, const std::string& modifier) {
    if (!modifier.empty()) do_input({"keydown", modifier});
    if (notches != 0)
        do_input({"click", "--repeat", std::to_string(std::abs(notches)), "--delay", "10", notches > 0 ? "4" : "5"});
    if (!modifier.empty()) do_input({"keyup", modifier});
}

void ViewerProgram::press_button(int button) {
    sleep_ms(50);
    do_input({"mousedown", std::to_string(button)});
    sleep_ms(50);
}

void ViewerProgram::release_button(int button) { do_input({"mouseup", std::to_string(button)}); }

void ViewerProgram::keys(const std::vector<std::string>& names) {
    std::vector<std::string> arguments = {"key", "--delay", "20"};
    arguments.insert(arguments.end(), names.begin(), names.end());
    do_input(arguments);
}

bool ViewerProgram::drop(const std::vector<std::string>& files, double x, double y) {
    const auto [left, top, width, height] = picture();
    lines_when_settled_.reset();
    lines_at_input_ = process_->lines().size();
    return drop_files(screen_.display(), files, left + int(std::floor(x * width)), top + int(std::floor(y * height)));
}

void ViewerProgram::resize(int width, int height) {
    do_input({"windowsize", window_, std::to_string(width), std::to_string(height)});
}
void ViewerProgram::show() {
    do_input({"windowmap", window_});
    sleep_ms(200);
    do_input({"windowmove", window_, "0", "0"});
    do_input({"windowfocus", window_});
}

void ViewerProgram::type(const std::string& text) {
    do_input({"type", "--delay", "30", text});
    sleep_ms(100);
}

std::string ViewerProgram::lines_where(bool (*wanted)(const std::string& line)) {
    std::string text;
    for (const std::string& line : process_->lines())
        if (wanted(line)) text += line + "\n";
    return text;
}

std::string ViewerProgram::messages() {
    return lines_where([](const std::string& line) {
        return parse(line).is_null() && line != at_rest && line != awake && !is_slow_turn(line);
    });
}

std::string ViewerProgram::slow_turns() { return lines_where(is_slow_turn); }

}  // namespace texelscope::test
