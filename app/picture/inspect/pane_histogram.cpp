#include "app/picture/inspect/pane_histogram.h"

#include "app/picture/inspect/histogram.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/core/colour.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

// One flag per pixel: whether its position lies on the image and in the selection.
std::vector<unsigned char> counted_pixels(const SourceImage& source, const RenderRequest& request,
                                          const std::optional<MeasureJob::Selection>& selection) {
    const ResidentImage& samples = source.samples();
    const Affine a = positions_of(request, samples.width(), samples.height());
    std::vector<unsigned char> flags;
    flags.reserve(size_t(request.width) * size_t(request.height));
    for (int j = 0; j < request.height; ++j)
        for (int i = 0; i < request.width; ++i) {
            const Point p = warped(request.warp, apply(a, i, j), samples.width(), samples.height());
            flags.push_back((!selection || is_selected(*selection, i, j)) &&
                            !is_outside_axis(request.outside, p.x, samples.width()) &&
                            !is_outside_axis(request.outside, p.y, samples.height()));
        }
    return flags;
}

}  // namespace

HistogramReport pane_histogram(SourceImage& source, const Rendition& rendition,
                               const std::optional<MeasureJob::Selection>& selection) {
    const RenderRequest& request = rendition.request;
    const size_t channels = size_t(source.samples().channels()), row = size_t(request.width) * channels;
    std::vector<float> values(row * size_t(request.height));
    Backend& backend = source.backend();
    const std::shared_ptr<void> memory = backend.allocate(values.size() * sizeof(float));
    source.render(request, {memory.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer});
    backend.read_back(values.data(), memory.get(), values.size() * sizeof(float));
    const bool has_alpha = source.samples().alpha() != Alpha::none;
    if (has_alpha)
        for (size_t k = 0; k < values.size(); k += channels) make_straight(&values[k], int(channels));
    const bool integers = is_normalised(rendition.image->type());
    std::vector<unsigned char> counted;
    if (request.outside != Outside::extend || selection) counted = counted_pixels(source, request, selection);
    HistogramReport h =
        histogram_of(values, int(channels), integers, counted, has_alpha ? LastChannel::alpha : LastChannel::colour);
    h.of_selection = selection.has_value();
    return h;
}

}  // namespace texelscope
