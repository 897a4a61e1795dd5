#pragma once
// Whether what pictures and plots read is there. On a CPU, the coefficients and the smaller images of a large picture,
// references in float64, and pictures that shrink a very large one take longer than a frame: they are made beside the
// window, which shows something else until then.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/picture/kept_pictures.h"
#include "app/picture/reference_values.h"
#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/work/background_work.h"
#include "app/work/demand.h"
#include "app/work/worker.h"

namespace texelscope {

// Makes an image ready to be rendered in the background: copied into the backend's form if it is new, with the smaller
// images and the coefficients that a frame reads. That takes longer than a frame for a large one.

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

    // Ends what is being prepared, and waits until nothing is left of it on its device.
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

// The request by a method that reads the samples of the same level: in place of one whose coefficients are not there.
RenderRequest without_prefilter(RenderRequest request);

class PreparedSources : public Worker {
public:
    explicit PreparedSources(SourceCache& sources) : sources_(sources) {}
    PreparedSources(const PreparedSources&) = delete;
    PreparedSources& operator=(const PreparedSources&) = delete;

    // From now on, what takes longer than a frame is made in the background, and `wake` is called when it is there.
    // Without this everything counts as ready, and is made where it is read; so it is on a GPU.
    void make_beside(const std::function<void()>& wake);
    bool makes_beside() const { return made_.has_value(); }

    // Values in float64 that are computed in the background; null where nothing is.
    ReferenceValues* references() { return references_ ? &*references_ : nullptr; }

    // Pictures that are rendered in the background; null where none is.
    SlowPictures* slow_pictures() { return slow_ ? &*slow_ : nullptr; }

    // False while the rendition has to wait; then what it reads is made next, unless it is not `wanted` for long. What
    // could not be made counts as ready: whoever reads it gets the error.
    bool ready(const Rendition& rendition, bool wanted = true);

    // Once per frame, when all have asked: makes what was not ready, and ends what nobody asks for any more.
    void begin();

    bool follow() { return has_news() && take(); }
    bool poll(AppState& /*state*/) override { return follow(); }
    bool has_news() const {
        return sources_.has_news() || (made_ && (made_->has_news() || references_->has_news() || slow_->has_news()));
    }

private:
    using Source = std::shared_ptr<SourceImage>;
    using ReadTheSame = std::function<bool(const Rendition&, const Rendition&)>;

    bool is_there(const Rendition& rendition);
    bool take();
    void keep(const Rendition& of, Source source);
    bool read_the_same(const Rendition& a, const Rendition& b);

    SourceCache& sources_;
    std::optional<Demand<Rendition, Source, ReadTheSame>> made_;  // what is there has gone into the cache
    std::optional<ReferenceValues> references_;                   // with it
    std::optional<SlowPictures> slow_;                            // with it
};

}  // namespace texelscope
