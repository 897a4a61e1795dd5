#pragma once
// Makes an image ready to be rendered in the background: copied into the backend's form if it is new, with the smaller
// images and the coefficients that a frame reads. That takes longer than a frame for a large one.

#include <functional>
#include <memory>
#include <vector>

#include "app/picture/source_cache.h"
#include "app/work/background_work.h"

namespace texelscope {

struct Preparation {
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    std::vector<RenderRequest> requests;  // of the next frame
    // Set by SourcePreparer:
    std::shared_ptr<SourceImage> shared = nullptr;  // if the image is in the cache
    BackendInfo device = {};                        // where it is copied to otherwise
};

// What the window's thread does of it: notes the device, and shares what is in the cache.
Preparation begin_preparing(Preparation preparation, const SourceCache& cache);

// The rest, in another thread. Throws Cancelled or what the backend throws.
std::shared_ptr<SourceImage> prepared_source(const Preparation& begun, const std::stop_token& stop);

class SourcePreparer {
public:
    explicit SourcePreparer(const std::function<void()>& wake = {}) : work_(wake) {}

    // Whether an image is better prepared: it is not in the cache, is large, and is not read where it lies.
    bool is_worth_it(const SourceCache& cache, const std::shared_ptr<const Image>& image, Light light) const;

    // Ends what was prepared before.
    void prepare(Preparation preparation, const SourceCache& cache);
    void drop() { work_.drop(); }

    // The same, and waits until nothing is left of it on its device.
    void end() { work_.end(); }

    bool has_news() const { return work_.has_news(); }
    bool prepares(const std::shared_ptr<const Image>& image, Light light) const {
        return work_.question() && work_.question()->image == image && work_.question()->light == light;
    }
    bool works() const { return work_.question() != nullptr; }

    // Once per turn of the loop: puts what is ready into the cache. True if there was anything.
    bool follow(SourceCache& cache);

    // Samples that can be made ready in a few milliseconds.
    static constexpr double few = 0x1p20;
    static double samples_of(const Image& image) { return double(image.width()) * image.height() * image.channels(); }

private:
    BackgroundWork<Preparation, std::shared_ptr<SourceImage>> work_;
    std::shared_ptr<const Image> failed_;  // said when it is tried again in the window
};

}  // namespace texelscope
