#pragma once
// When a window that otherwise sleeps until there is input must do something. Each part states its own wishes, before
// every wait.

#include <algorithm>
#include <limits>

namespace texelscope {

class WakeUp {
public:
    explicit WakeUp(double now) : now_(now) {}  // seconds, as AppState::now

    // A frame is due this many seconds from now.
    void draw_in(double seconds) { draw_ = std::min(draw_, now_ + std::max(seconds, 0.0)); }

    // Something may have happened by then: the program looks, and draws only if it has.
    void look_in(double seconds) { look_ = std::min(look_, now_ + std::max(seconds, 0.0)); }

    bool draws_by(double time) const { return draw_ <= time + tolerance; }

    // Seconds to sleep from `time` on, at most; below 0: until there is input.
    double patience(double time) const {
        const double next = std::min(draw_, look_);
        return next == never ? -1 : std::max(next - time, 0.0);
    }

private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr double tolerance = 0.001;  // a wait may end a little early
    double now_, draw_ = never, look_ = never;
};

}  // namespace texelscope
