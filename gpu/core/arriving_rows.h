#pragma once
// How far an image has been filled by another thread, for those who read it meanwhile.

#include <condition_variable>
#include <mutex>

namespace texelscope {

class ArrivingRows {
public:
    explicit ArrivingRows(int all) : all_(all) {}

    // So many, from the first one on, will not change any more.
    void arrived(int rows);

    // No more will come.
    void end();

    bool complete() const;

    // Returns once so many are there, or all. Throws Cancelled if they will not come, or if the loops of this thread are stopped
    // (StoppableLoops).
    void wait_for(int rows);

private:
    const int all_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    int there_ = 0;
    bool ended_ = false;
};

}  // namespace texelscope
