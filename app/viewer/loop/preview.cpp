#include "app/viewer/loop/preview.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace texelscope {

void Preview::note(const Image& so_far, int rows) {
    constexpr int to_come = 48;
    const std::lock_guard lock(mutex_);
    if (small_.empty()) {
        step_ = (std::max(so_far.width(), so_far.height()) + longest_side - 1) / longest_side;
        small_ = Image((so_far.width() + step_ - 1) / step_, (so_far.height() + step_ - 1) / step_, 3, SampleType::u8);
        std::memset(small_.data(), to_come, small_.size_bytes());
    }
    const int colours = so_far.channels() < 3 ? 1 : 3;
    for (; done_ < small_.height() && done_ * step_ < rows; ++done_) {
        uint8_t* pixel = small_.row_as<uint8_t>(done_);
        for (int x = 0; x < small_.width(); ++x)
            for (int c = 0; c < 3; ++c) {
                const float value = so_far.value(x * step_, done_ * step_, std::min(c, colours - 1));
                *pixel++ = value > 0 ? uint8_t(std::lround(255 * std::min(value, 1.0f))) : uint8_t(0);
            }
        news_ = true;
    }
}

std::shared_ptr<const Image> Preview::take() {
    const std::lock_guard lock(mutex_);
    if (!news_) return nullptr;
    news_ = false;
    return std::make_shared<const Image>(small_);
}

}  // namespace texelscope
