#pragma once
// Wall clock, for stages that the host waits for.

#include <chrono>

namespace texelscope {

class HostClock {
public:
    double ms() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace texelscope
