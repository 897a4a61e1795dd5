#include "app/frame/source_cache.h"

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
    while (entries_.size() > capacity) entries_.pop_back();
    return entries_.front().source;
}

}  // namespace texelscope
