#pragma once
// Images in the backend's memory, with their coefficients: the few most recently used.

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/error_map.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

class KeptLevels;
class LiveRegions;

// The image on the backend; if it is not in memory, by regions, which are read while it is rendered.
SourceImage source_on(const std::shared_ptr<Backend>& backend, const std::shared_ptr<const Image>& image, Light light);

class SourceCache {
public:
    explicit SourceCache(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
    SourceCache(const SourceCache&) = delete;
    SourceCache& operator=(const SourceCache&) = delete;

    // Uploads if needed. Images may be freed for another one or for anything else that needs memory: the reference is
    // valid until the next call. Throws OutOfMemory or Error.
    SourceImage& at(const std::shared_ptr<const Image>& image, Light light = Light::stored);

    bool has(const std::shared_ptr<const Image>& image, Light light) const;

    // The image's source with what has been made of it, for a backend that computes in another thread (see
    // SourceImage::shared_on); null if the image is not here.
    std::shared_ptr<SourceImage> shared_on(const std::shared_ptr<Backend>& backend,
                                           const std::shared_ptr<const Image>& image, Light light) const;

    // What another backend of this kind, idle by now, has made of the image: all of it, or, of a source that was shared,
    // what came in addition (see SourceImage::move_to, take_made).
    void put(const std::shared_ptr<const Image>& image, Light light, SourceImage source);

    // put() for all images of a cache that is needed no more.
    void put_all(SourceCache&& other);

    // Keeps at least as many images as are shown at a time.
    void hold(size_t images) {
        capacity_ = std::max(images, least);
        shown_ = images;
    }

    // The peak of the image's values (see peak_of), found once.
    double peak_at(const std::shared_ptr<const Image>& image, Light light = Light::stored);

    // The exposures of FLIP of the image (see exposures_of), found once.
    FlipExposures exposures_at(const std::shared_ptr<const Image>& image, Light light = Light::stored);

    const std::shared_ptr<Backend>& backend() const { return backend_; }

    // From now on, images that are not in memory are shown through live regions, and `wake` is called, in other threads,
    // when something of them has come. Without this, all of a request is read while it is rendered.
    void show_live(const std::function<void()>& wake);

    // The live regions through which an image is shown; null if it is in memory, or not here.
    LiveRegions* regions_of(const std::shared_ptr<const Image>& image, Light light) const;

    // For all live regions together: begins a frame, or says how much has come of them so far, how much is still to
    // come, whether smaller images of a file stand in for it, and what could not be read.
    void next_turn();
    size_t arrivals();
    bool has_news() const;
    size_t coming() const;
    double part_done() const;  // of one thing that is coming, 0 … 1
    bool shows_levels_of_file() const;
    std::optional<std::string> take_problem();

private:
    static constexpr size_t least = 3;
    struct Entry {
        std::shared_ptr<const Image> image;
        Light light;
        SourceImage source;
        double peak = 0;  // 0: not found yet
        std::optional<FlipExposures> exposures = {};
        MemoryBudget::Kept kept = {};
        LiveRegions* regions = nullptr;                 // of the source
        std::shared_ptr<const KeptLevels> levels = {};  // of the regions; null once it has been said what went wrong
    };
    void forget_regions();
    const Entry* find(const std::shared_ptr<const Image>& image, Light light) const;
    Entry* find(const std::shared_ptr<const Image>& image, Light light) {
        return const_cast<Entry*>(std::as_const(*this).find(image, light));
    }
    SourceImage& add(const std::shared_ptr<const Image>& image, Light light, SourceImage source);

    std::shared_ptr<Backend> backend_;
    std::list<Entry> entries_;  // the most recently used first
    size_t capacity_ = least, shown_ = 1;
    bool live_ = false;
    std::function<void()> wake_;
};

// The peak that PSNR and SSIM refer to: 1 for integers; for floats the range of the finite samples (1 where that is 0). Of an
// image that is not in memory, these are read.
double peak_of(const Image& image);

// The peak of an image that is not in memory, whose samples are read once, unless they are integers: tiles that
// together take no more than `memory` at a time, but at least one. Throws what reading does.
double peak_of(const TileSource& image, size_t memory);

}  // namespace texelscope
