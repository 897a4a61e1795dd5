#include "app/frame/source_cache.h"

#include <algorithm>
#include <cmath>

namespace texelscope {

SourceImage& SourceCache::at(const std::shared_ptr<const Image>& image, Light light) {
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
        if (entry->image == image && entry->light == light) {
            entries_.splice(entries_.begin(), entries_, entry);
            return entries_.front().source;
        }
    const auto upload = [&] { entries_.push_front({image, light, SourceImage(backend_, *image, light)}); };
    try {
        upload();
    } catch (const OutOfMemory&) {
        // The one on the screen stays; the others make room.
        if (entries_.size() < 2) throw;
        entries_.erase(std::next(entries_.begin()), entries_.end());
        upload();
    }
    while (entries_.size() > capacity_) entries_.pop_back();
    return entries_.front().source;
}

double SourceCache::peak_at(const std::shared_ptr<const Image>& image, Light light) {
    at(image, light);
    Entry& entry = entries_.front();
    if (entry.peak == 0) entry.peak = peak_of(*image);
    return entry.peak;
}

double peak_of(const Image& image) {
    if (image.type() == SampleType::u8 || image.type() == SampleType::u16) return 1;
    float low = INFINITY, high = -INFINITY;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 0; c < image.channels(); ++c)
                if (const float v = image.value(x, y, c); std::isfinite(v)) {
                    low = std::min(low, v);
                    high = std::max(high, v);
                }
    return high > low ? double(high) - double(low) : 1;
}

}  // namespace texelscope
