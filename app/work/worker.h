#pragma once
// What the window's loop asks of everything that works in the background or from time to time.

#include "app/state/wake_up.h"

namespace texelscope {

struct AppState;

class Worker {
public:
    virtual ~Worker() = default;

    // Once per turn of the loop: takes what has come, and begins what is due. True if there is something new to draw.
    virtual bool poll(AppState& state) = 0;

    // Before the loop sleeps: when it is to draw or to poll again.
    virtual void wake(const AppState& /*state*/, WakeUp& /*wake_up*/) const {}

    // The presenter is about to change: nothing is left on its device afterwards.
    virtual void leave_device() {}
};

// What looks at files, about once per second.
class EverySecond {
public:
    bool due(double now) {
        if (now < next_) return false;
        next_ = now + 1;
        return true;
    }

private:
    double next_ = 0;
};

}  // namespace texelscope
