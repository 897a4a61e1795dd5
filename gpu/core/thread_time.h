#pragma once
// Processor time, which leaves out what a thread waits for.

#include <ctime>

namespace texelscope {

// Of this thread so far, in milliseconds.
inline double thread_ms() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

}  // namespace texelscope
