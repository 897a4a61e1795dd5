#pragma once
// Pictures shrunk from the picture's own samples by taps of any length (gpu/prefilter/projection.h): by least squares, and
// antialiased as exactly at a factor of 1000 as at 2. No pyramid is read, and every sample counts, however small the result.

#include "gpu/backend/arguments.h"
#include "gpu/backend/source_image.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

// A backend that computes pixels from taps of any length along each axis: all are.
class LongTapsRenderer {
public:
    virtual ~LongTapsRenderer() = default;

    // Like Backend::resample() of samples, but for weights and positions, which are those of the taps, one for each column and
    // row of the output, and what the passes do to their sums. A signal has no taps along y. Throws OutOfMemory.
    virtual void resample_by_taps(const ResidentImage& samples, const Resampling& request, const LongTaps& x,
                                  const LongTaps& y, const LongPasses& passes, const RenderTarget& target) = 0;

    // Renders pixels that have taps of their own along both axes, pixel (i, j) number j · width + i; those whose taps along
    // x begin at taps_outside or taps_of_nan are as the request's `outside` says, or not numbers.
    virtual void resample_points_by_taps(const ResidentImage& samples, const Resampling& request, const LongTaps& x,
                                         const LongTaps& y, const LongPasses& passes, const RenderTarget& target) = 0;
};

// The part of a rendering along the axes whose positions are not outside, and where it is in the target.
struct InsidePart {
    int column = 0, row = 0, width = 0, height = 0;
    RenderTarget target;
    bool is_empty() const { return width == 0 || height == 0; }
    bool is_all_of(const Resampling& whole) const { return width == whole.width && height == whole.height; }
};

// Without a target. The positions must increase.
InsidePart inside_of(const ResidentImage& samples, const Resampling& resampling);

// What renders what is outside, which is alike everywhere: the cheapest method.
Resampling outside_alone(const Resampling& resampling);

// Renders what is outside, if anything is. The positions must increase.
InsidePart render_outside(SourceImage& source, const Resampling& resampling, const RenderTarget& target);

// Whether an antialiased request that may not read the pyramid, planned with it, is computed without: it would read a level,
// of a method with weights along the axes, its positions are along the axes and increase, and its view is not so much larger
// than the image that the taps are more than 2²⁴ along an axis.
bool is_by_own_samples(const RenderRequest& request, const PlannedRequest& with_pyramid, const ImageShape& image);

// Renders such a request. Throws OutOfMemory or Error.
void render_by_own_samples(SourceImage& source, const Resampling& resampling, const RenderTarget& target);

// Renders a request with axis-aligned positions that increase, as resize_request() makes them: by least squares along the
// axes that shrink, and by the method as it is along the others. Its `antialias` and the spec's path are ignored. Throws
// Error for methods without least squares, other positions, warps, derivatives and an outside that is not extended.
void render_least_squares(SourceImage& source, const RenderRequest& request, const RenderTarget& target);

// An image (f32) of width × height pixels with the source's channels and alpha, which render(target) writes and which is read
// back. Throws what that does, OutOfMemory and Error.
template <class Render> Image read_back_of(SourceImage& source, int width, int height, Render render) {
    check_output_size(width, height);
    Backend& backend = source.backend();
    const ResidentImage& samples = source.samples();
    Image image(width, height, samples.channels(), SampleType::f32, samples.alpha());
    const std::shared_ptr<void> memory = backend.allocate(image.size_bytes());
    render(
        RenderTarget{.pixels = memory.get(), .row_bytes = image.row_bytes(), .format = RenderTarget::Format::floats});
    backend.read_back(image.data(), memory.get(), image.size_bytes());
    return image;
}

// Renders by least squares and reads back, like SourceImage::render_to_image.
Image least_squares_image(SourceImage& source, const RenderRequest& request);

// Throws the same errors, but for those of the backend.
void check_least_squares(const RenderRequest& request);

}  // namespace texelscope
