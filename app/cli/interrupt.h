#pragma once

#include <csignal>

namespace texelscope {

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
