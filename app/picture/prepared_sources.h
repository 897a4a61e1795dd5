#pragma once
// Whether what pictures and plots read is there. On a CPU, the coefficients and the smaller images of a large picture,
// references in float64, and pictures that shrink a very large one take longer than a frame: they are made beside the
// window, which shows something else until then.

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/kept_pictures.h"
#include "app/picture/rendition.h"
#include "app/work/work.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/error_map.h"
#include "gpu/core/tile_source.h"

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

// A source image that is copied to its backend, or read there, while its file is decoded.

// Written by the thread that reads the file; taken, or given up, by another one.
class ArrivingSource {
public:
    // On a backend like the one described, in stored light. Unset: it is not known yet, and nothing is copied until then.
    explicit ArrivingSource(std::optional<BackendInfo> device = {}) : device_(std::move(device)) {}

    // Called once the backend is known, if it was not from the beginning.
    void go_to(BackendInfo device);

    // So many rows of the image, from the top, will not change any more; its memory stays where it is. Nothing happens to
    // a small image; one that is read in place is not copied. What goes wrong is found again, and said, by whoever uploads
    // the image.
    void note(const Image& so_far, int rows);

    // The image whose rows arrive, once, for a thread that renders what is there and waits for the rest, on a CPU backend
    // of its own; empty if there is none yet, or if it is copied to a GPU.
    struct Rows {
        std::shared_ptr<const Image> image;  // over the same samples
        std::shared_ptr<SourceCache> sources;
    };
    std::optional<Rows> rows_for_thread();

    // All of it is there, unless another image than the noted one was made of it. Waits until the backend is known, if
    // there is something to copy.
    void complete(const Image& image, const std::stop_token& stop);

    // Once, when it is complete; null if it is not.
    std::shared_ptr<SourceImage> take();

    // Frees what is on the device, and copies no more.
    void give_up();

private:
    void begin(const Image& image);
    template <class Step> void attempt(Step step);

    std::mutex mutex_;
    std::condition_variable_any known_;  // the device, or that there will be none
    std::optional<BackendInfo> device_;
    const void* samples_ = nullptr;  // noted
    bool begun_ = false, given_up_ = false;
    std::shared_ptr<const Image> in_place_;  // until rows_for_thread
    // Freed from the last one on: memory before its backend.
    std::shared_ptr<Backend> backend_;
    Upload upload_;
    std::shared_ptr<SourceImage> source_;
};

// Values in float64 that take longer than a frame, computed in the background on a CPU: of references that are shown, or
// that a difference is from. Those of images that are not in memory are computed by their regions (LiveRegions).

class ReferenceValues {
public:
    // Channels of the image per pixel, rows packed (see SourceImage::render_reference, formula_values).
    using Values = std::shared_ptr<const std::vector<double>>;

    explicit ReferenceValues(const std::function<void()>& wake = {}) : values_(wake) {}

    // About how many products and sums the values cost; 0: they are there, or are none in float64.
    double cost(const Rendition& rendition) const;

    // What a picture may cost in the window, all of its panes together: about a tenth of a second on two cores.
    static constexpr double affordable = 0x1p28;

    // Whether they are there; else they are computed next. Values that could not be computed count as there, and whoever
    // reads them gets the error. For the frame: what it does not ask for is forgotten.
    bool ready(const Rendition& rendition);

    // Null if they are not there.
    Values find(const Rendition& rendition) const;

    // Computes them now if they are not there, from the rendition's image on a CPU. Throws OutOfMemory or Error.
    Values at(const Rendition& rendition, SourceImage& source);

    // Once per frame, when all have asked. Uploads what is not in the cache: a small image, or it would not be asked for.
    void begin(SourceCache& sources);

    bool has_news() const { return values_.has_news(); }
    void follow() { values_.take(); }

private:
    static bool computes(const Rendition& rendition);
    static Values computed(const Rendition& rendition, SourceImage* source);

    Demand<Rendition, Values> values_;
};

// The values of a picture that is a function, at the positions of a rendition: the truth that methods approximate.

// In float64, channels of the image per pixel, rows packed, premultiplied if there is alpha, and not rounded to the
// image's type. Of the formula's stored values, also if the rendition interpolates linear light.
//
// Masked values are NaN, at pixels whose value the samples cannot tell, or the output cannot show:
// - a wave has more than half a cycle per sample along x or y; or, along an axis of the output that zooms out, per pixel;
// - an edge, narrower than one sample (or pixel, if that is more), is less than half a sample (or pixel) away.
std::vector<double> formula_values(const Rendition& rendition);

// Rows of the same, for an image that need not be there: `values` has room for as many doubles per pixel as it has channels.
void formula_rows(const RenderRequest& request, const ImageInfo& image, const TestImageRequest& formula, bool masked,
                  int first, int count, double* values);

// How many pixels of a masked rendition are masked, beyond the image's edges none.
int64_t masked_pixels(const Rendition& rendition);

// Images in the backend's memory, with their coefficients: the few most recently used.

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
