#pragma once
// Whether what pictures and plots read is there. On a CPU, the coefficients and the smaller images of a large picture,
// references in float64, and pictures that shrink a very large one take longer than a frame: they are made beside the
// window, which shows something else until then.

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/picture/kept_pictures.h"
#include "app/picture/reference_values.h"
#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/work/work.h"

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

}  // namespace texelscope
