#include "gpu/backend/cpu_image.h"

#include <algorithm>

#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"

namespace texelscope {

void ArrivingRows::arrived(int rows) {
    {
        const std::lock_guard lock(mutex_);
        there_ = std::max(there_, rows);
    }
    changed_.notify_all();
}

void ArrivingRows::end() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
}

bool ArrivingRows::complete() const {
    const std::lock_guard lock(mutex_);
    return there_ >= all_;
}

void ArrivingRows::wait_for(int rows) {
    rows = std::min(rows, all_);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, StoppableLoops::of_this_thread(), [&] { return ended_ || there_ >= rows; });
    if (there_ < rows) throw Cancelled("the image does not arrive");
}

}  // namespace texelscope
