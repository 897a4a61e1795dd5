#pragma once
// SourceImage: an image on a backend, and the way from it to pictures and points.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/core/colour.h"

namespace texelscope {

class SampleRegions;

// The request that resizes an image of this size to width × height pixels. Antialiasing acts along the axes that
// shrink.
RenderRequest resize_request(const ResidentImage& samples, const MethodSpec& spec, int width, int height,
                             Align align = Align::centers, bool antialias = true);

// Whether two requests read the same samples or coefficients of an image.
bool read_the_same(const Resampling& a, const Resampling& b);

// What to do where an image is not in memory and samples have still to come, once they have been asked for: nothing, or
// render what is there of them for this frame, if need be more coarsely.
enum class ToCome { nothing, stand_in };

// A source image on a backend with its coefficients and its pyramid, from which pictures and points are computed. Not
// to be used from two threads at the same time.
class SourceImage {
public:
    SourceImage(std::shared_ptr<Backend> backend, const Image& image, Light light = Light::stored);

    // Makes no copy in host memory if Backend::upload needs none.
    SourceImage(std::shared_ptr<Backend> backend, const std::shared_ptr<const Image>& image,
                Light light = Light::stored);
    SourceImage(std::shared_ptr<Backend> backend, Image&& image, Light light = Light::stored);

    // A source of samples that the backend has uploaded.
    SourceImage(std::shared_ptr<Backend> backend, std::shared_ptr<const ResidentImage> samples);

    // Over the caller's memory, which must outlive it and not change (see Backend::adopt).
    SourceImage(std::shared_ptr<Backend> backend, const ImageView& image);

    // A source that is not in memory, read by regions (SampleRegions). What it renders may still have to come:
    // functions say so, or throw Error where they return values. What needs the image as a whole throws Error.
    SourceImage(std::shared_ptr<Backend> backend, std::shared_ptr<SampleRegions> regions);
    ~SourceImage();
    SourceImage(SourceImage&&) noexcept;
    SourceImage& operator=(SourceImage&&) noexcept;

    // Moves to another backend with everything that has been made. That one must take over images of this one's, whose
    // work must be finished (see Backend::take_over).
    void move_to(const std::shared_ptr<Backend>& backend);

    // Another source of these samples, with everything that has been made of them, read in place by a backend that
    // computes in another thread (see Backend::share).
    SourceImage shared_on(const std::shared_ptr<Backend>& backend) const;

    // Takes what a source that shares these samples has made since; its backend, idle by now, must be such that this
    // one's can take over its images. Leaves that source with nothing made.
    void take_made(SourceImage& other);

    // Where the image is read by regions, this is its shape only, and no backend reads it.
    const ResidentImage& samples() const;
    Backend& backend() const;

    // Null for an image that is resident as a whole.
    SampleRegions* regions() const;

    // Samples, or coefficients that fit the spec: computed once for each (poles, prefilter, address) and kept as long as
    // the backend's memory allows. Throws OutOfMemory.
    std::shared_ptr<const ResidentImage> prepared_for(const MethodSpec& spec);

    // Writes coefficients of the spec to a target as floats, in its memory, without keeping them. False, without writing
    // anything, if there are some already, or the backend cannot: prepared_for() has them.
    bool write_coefficients(const MethodSpec& spec, const RenderTarget& target);

    // The request to the backend: to be planned once, and prepared and rendered as often as needed.
    PlannedRequest plan(const RenderRequest& request) const;

    // Computes and keeps everything the request needs beforehand. True if coefficients were computed now, false if they
    // were kept already or are not needed. Throws OutOfMemory.
    bool prepare(const PlannedRequest& planned);
    bool prepare(const RenderRequest& request) { return prepare(plan(request)); }

    // How many samples would be read to make what the request reads; 0: it is there, and prepare() does nothing. In
    // float64, that is the level alone.
    double unprepared(const PlannedRequest& planned, bool float64 = false) const;

    // For samples that are a batch: whether all its images can be rendered together, into pictures image_bytes apart, else they
    // are to be rendered one by one. No: paths of textures, recipes that need an image's extremes or pictures on the way.
    bool renders_batch(const RenderRequest& request) const;

    // Whether requests with these address modes can be rendered as levels: the CPU computes them, and nothing is done to values
    // afterwards.
    bool renders_levels(const AddressPair& address) const;

    // Renders a request into the target (see Backend::resample). False if samples have still to come: then the target is as it
    // was, or not what it will be.
    bool render(const PlannedRequest& planned, const RenderTarget& target, ToCome to_come = ToCome::nothing);
    bool render(const RenderRequest& request, const RenderTarget& target, ToCome to_come = ToCome::nothing) {
        return render(plan(request), target, to_come);
    }

    // Like Backend::resample() of prepared_for(request.spec), with the value beyond borders.
    void resample(const Resampling& request, const RenderTarget& target);

    // For planned requests that something else computes from the samples: calls compute(image, request, target), perhaps for
    // another target, such that zero is beyond the image's borders.
    using Compute = std::function<void(const ResidentImage&, const Resampling&, const RenderTarget&)>;
    void render_samples(const Resampling& resampling, const RenderTarget& target, const Compute& compute);

    // Renders a request in float64 (see Backend::resample_reference), for the level of the pyramid that the request
    // reads, or would if it may: samples().channels() doubles per pixel, rows packed, memory of the backend; sRGB-coded if the source is
    // linear light. False, with the values as they were, if the image is not in memory and the values have still to be
    // computed; with ToCome::stand_in they are of no interest after this frame.
    bool render_reference(const RenderRequest& request, double* values, ToCome to_come = ToCome::nothing);

    // The texels that the request interpolates: samples, or the coefficients of its prefilter; linear light if the
    // source is. width × height of them from index (x, y) on, which may be beyond the edges, samples().channels()
    // floats each; of the level of the pyramid that the request reads. None if they have still to come.
    std::vector<float> texels(const RenderRequest& request, int x, int y, int width, int height);

    // The least and the largest sample of all channels, computed once. Throws Error if samples have still to come.
    std::pair<float, float> extremes();

    // Renders and reads back: an f32 image with the channels and the alpha (premultiplied) of the source.
    // The second is empty if samples have still to come.
    Image render_to_image(const RenderRequest& request);
    std::optional<Image> image_at_hand(const RenderRequest& request);

    // Renders for the screen and reads back: u8 × 4.
    Image render_to_rgba8(const RenderRequest& request);

    // Values at `points.count` points, channels() floats each, premultiplied if there is alpha. Points and values are
    // memory of the backend; last_render_ms() does not include them. A point that is NaN gives NaN; so does an infinite
    // one if the signal repeats.
    // `image_bytes`: from the values of one image of a batch to those of the next.
    void sample(const SampleRequest& request, const PointsView& points, float* values, size_t image_bytes = 0);

    // Values at points in host memory, which they are returned to; those of point k start at k · channels().
    std::vector<float> sample_to_host(const SampleRequest& request, const PointsView& points);

    // Renders a map of coordinates, antialiased: pixel (i, j) of width × height reads point j · width + i of `points`,
    // which are in host memory, in samples. Returns the same form of image as render_to_image().
    Image render_map(const SampleRequest& request, const PointsView& points, int width, int height);

    // Value at a sample-space point, channels() floats, extended beyond the edges.
    std::array<float, 4> value_at(const MethodSpec& spec, Point point);

private:
    struct State;
    explicit SourceImage(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace texelscope
