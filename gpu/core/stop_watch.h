#pragma once
// Wall clock of the host.

#include <chrono>
#include <ctime>

namespace texelscope {

class StopWatch {
public:
    // Milliseconds since construction.
    double ms() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Processor time, which leaves out what a thread waits for.

// Processor time of this thread so far, in milliseconds.
inline double thread_ms() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

}  // namespace texelscope
