#pragma once
// Times of frames: frames per second while something moves.

#include <deque>

namespace texelscope {

class FrameClock {
public:
    void rendered(double now) {
        times_.push_back(now);
        forget(now);
    }

    // Over the last second; 0 if hardly anything was rendered in it.
    double per_second(double now) {
        forget(now);
        if (times_.size() < 3 || times_.back() <= times_.front()) return 0;
        return double(times_.size() - 1) / (times_.back() - times_.front());
    }

private:
    void forget(double now) {
        while (!times_.empty() && times_.front() < now - 1) times_.pop_front();
    }
    std::deque<double> times_;
};

}  // namespace texelscope
