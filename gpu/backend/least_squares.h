#pragma once
// Pictures shrunk by least squares (gpu/prefilter/projection.h), from the picture's own samples: no pyramid is read, and
// every sample counts, however small the result.

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
};

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
