#pragma once

#include <array>
#include <csignal>
#include <thread>

#include "app/window/window.h"

namespace texelscope {

// While it lives, SIGTERM and SIGHUP close the window as its own button does, so that settings are saved. A second one
// ends the program at once, in case it is busy. Signals that are ignored (nohup) stay ignored. Only one at a time.
class CloseSignals {
public:
    explicit CloseSignals(const Window& window);
    ~CloseSignals();
    CloseSignals(const CloseSignals&) = delete;
    CloseSignals& operator=(const CloseSignals&) = delete;

private:
    static constexpr std::array signals = {SIGHUP, SIGTERM};
    struct sigaction before_[signals.size()]{};
    int read_ = -1;
    std::thread waiting_;
};

}  // namespace texelscope
