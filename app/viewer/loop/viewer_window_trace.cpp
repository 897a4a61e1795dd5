// What --trace-state prints.

#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/viewer/loop/trace.h"
#include "app/viewer/loop/viewer_window.h"

namespace texelscope {

void ViewerWindow::trace() {
    if (!trace_) return;
    std::string now = state_as_json(state_, gui_.controls());
    if (now == traced_) return;
    // An additional frame alone is not a change of state.
    fmt::print(stderr, "{{\"frames\":{},{}\n", state_.report.frame.frames_drawn, std::string_view(now).substr(1));
    std::fflush(stderr);
    traced_ = std::move(now);
}

// For programs that drive the window: all input before "at rest" has been dealt with.
void ViewerWindow::trace_rest(bool resting) {
    if (!trace_ || std::exchange(resting_, resting) == resting) return;
    fmt::print(stderr, "{}\n", resting ? "at rest" : "awake");
    std::fflush(stderr);
}

// For tests of frame times: whatever keeps the window from its next frame for long. On a busy machine that is the others'
// time; what this thread computed is not.
void ViewerWindow::trace_slow_turn(double ms, double computed_ms) const {
    constexpr double worth_telling = 16;
    if (!trace_ || ms < worth_telling) return;
    fmt::print(stderr, "slow turn: {:.1f} ms, computed {:.1f} ms{}\n", ms, computed_ms,
               state_.loading ? ", loading" : "");
    std::fflush(stderr);
}

}  // namespace texelscope
