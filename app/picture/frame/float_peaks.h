#pragma once
// The peaks of images of floats that are not in memory, for PSNR and SSIM: the range of all samples, which are read once
// in the background.

#include <functional>
#include <memory>
#include <string>

#include "app/work/demand.h"
#include "gpu/core/image.h"

namespace texelscope {

class FloatPeaks {
public:
    // Larger images are not read for that: bytes of samples, which take a minute or two.
    static constexpr double affordable = 0x1p34;

    explicit FloatPeaks(const std::function<void()>& wake = {}, double most = affordable)
        : peaks_(wake, Unasked::kept), most_(most) {}

    // Whether the peak has to be found here. All others are known at once, or found where they are needed.
    static bool needed_by(const Image& image);

    struct Known {
        double peak = 0;      // 0: not known
        std::string why_not;  // one sentence
    };
    // Of an image that needs it. What is not known is found next, as long as it is asked for once per frame.
    Known at(const std::shared_ptr<const Image>& image);

    // Finds it now, if it may be found here at all.
    void find(const std::shared_ptr<const Image>& image);

    // Once per frame, before anyone asks, and when all have asked.
    void follow();
    void begin();

    bool has_news() const { return peaks_.has_news(); }
    void wake(WakeUp& wake_up) const { peaks_.wake(wake_up, 0.1); }

private:
    using WeakImage = std::weak_ptr<const Image>;  // what is known of an image does not keep it
    struct SameImage {
        bool operator()(const WeakImage& a, const WeakImage& b) const { return a.lock() == b.lock(); }
    };
    bool is_affordable(const Image& image) const { return double(image.row_bytes()) * image.height() <= most_; }

    Demand<WeakImage, double, SameImage> peaks_;
    double most_;
};

}  // namespace texelscope
