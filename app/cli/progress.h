#pragma once

#include <csignal>
#include <cstddef>

#include "gpu/core/stop_watch.h"

namespace texelscope {

// A bar on stderr for work that takes longer than a second; nothing if stderr is not a terminal.
class Progress {
public:
    explicit Progress(size_t total);
    ~Progress();  // clears the bar
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(size_t done);

private:
    size_t total_;
    bool terminal_, drawn_ = false;
    StopWatch watch_;
};

// While it lives, Ctrl+C requests cancellation instead of killing the program, so that nothing is left half done and
// the bar is cleared.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    // Throws Cancelled if it was pressed.
    static void check();

private:
    struct sigaction before_ {};
};

}  // namespace texelscope
