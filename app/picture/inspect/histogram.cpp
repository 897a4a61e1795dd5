#include "app/picture/inspect/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/picture/rendered_rows.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/core/colour.h"
#include "gpu/core/quantile.h"
#include "gpu/method/output.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

constexpr double half_level = 0.5 / 255;

void find_range(HistogramReport& h, bool integers) {
    const bool nothing = h.least > h.most;
    if (nothing) h.least = h.most = 0;
    h.low = h.least;
    h.high = h.most;
    if (integers) {
        h.low = std::min(h.low, -half_level);
        h.high = std::max(h.high, 1 + half_level);
    }
    if (!(h.high > h.low)) {  // one value: a bin around it
        const double around = std::max(std::abs(h.low) * 1e-3, 1e-6);
        h.low -= around;
        h.high += around;
    }
}

// The pixels that count.
class CountedPixels {
public:
    CountedPixels(std::span<const float> values, int channels, std::span<const unsigned char> counted, LastChannel last)
        : values_(values), channels_(size_t(channels)), counted_(counted), has_alpha_(last == LastChannel::alpha) {
        if (!has_alpha_) return;
        float most = 0;
        for_each([&](const float* pixel) {
            if (std::isfinite(alpha_of(pixel))) most = std::max(most, alpha_of(pixel));
        });
        firm_ = std::max(std::min(most, 1.0f) / 2, least_alpha);
    }

    template <class Take> void for_each(Take take) const {
        for (size_t k = 0; k < values_.size() / channels_; ++k)
            if (counted_.empty() || counted_[k] != 0) take(&values_[k * channels_]);
    }

    bool is_transparent(const float* pixel) const { return has_alpha_ && alpha_of(pixel) < least_alpha; }
    // Whether the bins must cover this value.
    bool is_covered(const float* pixel, size_t channel) const {
        return !has_alpha_ || channel + 1 == channels_ || !(alpha_of(pixel) < firm_);
    }
    size_t first_channel(const float* pixel) const { return is_transparent(pixel) ? channels_ - 1 : 0; }

private:
    float alpha_of(const float* pixel) const { return pixel[channels_ - 1]; }

    std::span<const float> values_;
    size_t channels_;
    std::span<const unsigned char> counted_;
    bool has_alpha_;
    float firm_ = 0;
};

}  // namespace

HistogramReport histogram_of(std::span<const float> values, int channels, bool integers,
                             std::span<const unsigned char> counted, LastChannel last) {
    HistogramReport h;
    h.channels = channels;
    h.least = std::numeric_limits<double>::infinity();
    h.most = -h.least;
    const CountedPixels pixels(values, channels, counted, last);
    pixels.for_each([&](const float* pixel) {
        ++h.pixels;
        if (pixels.is_transparent(pixel)) ++h.transparent;
        for (size_t c = pixels.first_channel(pixel); c < size_t(channels); ++c) {
            const float v = pixel[c];
            if (std::isnan(v)) ++h.not_a_number;
            else if (std::isinf(v)) ++h.infinite;
            else if (pixels.is_covered(pixel, c)) {
                h.least = std::min(h.least, double(v));
                h.most = std::max(h.most, double(v));
            }
        }
    });
    find_range(h, integers);
    for (int c = 0; c < channels; ++c) h.bins[size_t(c)].assign(histogram_bins, 0);
    const double bins_per_unit = histogram_bins / (h.high - h.low);
    pixels.for_each([&](const float* pixel) {
        for (size_t c = pixels.first_channel(pixel); c < size_t(channels); ++c) {
            const double v = double(pixel[c]);
            if (!std::isfinite(v)) continue;
            if (v < h.low || v > h.high) {
                ++h.beyond;
                continue;
            }
            h.least = std::min(h.least, v);
            h.most = std::max(h.most, v);
            const int bin = std::clamp(int((v - h.low) * bins_per_unit), 0, histogram_bins - 1);
            ++h.bins[c][size_t(bin)];
        }
    });
    return h;
}

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

std::optional<HistogramReport> pane_histogram(SourceImage& source, const Rendition& rendition,
                                              const std::optional<MeasureJob::Selection>& selection) {
    const RenderRequest& request = rendition.request;
    const size_t channels = size_t(source.samples().channels()), row = size_t(request.width) * channels;
    std::vector<float> values(row * size_t(request.height));
    Backend& backend = source.backend();
    const std::shared_ptr<void> memory = backend.allocate(values.size() * sizeof(float));
    if (!source.render(request, {memory.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer})) return {};
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

namespace {

constexpr double most_level_pixels = 1 << 20;

}  // namespace

std::optional<Levels> auto_levels(const Image& image, const std::optional<Region>& region, ChannelView shown,
                                  double share) {
    const SampleBox box = samples_in(region, image);
    if (box.empty()) return {};
    const double pixels = (double(box.x1) - box.x0 + 1) * (double(box.y1) - box.y0 + 1);
    const int step = std::max(1, int(std::ceil(std::sqrt(pixels / most_level_pixels))));
    std::vector<double> values;
    for (int y = box.y0; y <= box.y1; y += step)
        for (int x = box.x0; x <= box.x1; x += step) append_straight_values(image, x, y, shown, values);
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const Levels levels{float(quantile(values, share)), float(quantile(values, 1 - share))};
    if (!(levels.black < levels.white)) return {};
    return levels;
}

std::optional<Image> values_in_view(SourceImage& source, const RenderRequest& picture,
                                    const std::optional<MeasureJob::Selection>& selection) {
    RenderRequest request = picture;
    if (request.outside == Outside::background) request.outside = Outside::nan;
    std::optional<Image> values = source.image_at_hand(request);
    if (!values) return {};
    const int channels = values->channels();
    for (int j = 0; selection && j < values->height(); ++j)
        for (int i = 0; i < values->width(); ++i)
            if (!is_selected(*selection, i, j)) std::fill_n(values->row_as<float>(j) + i * channels, channels, NAN);
    return values;
}

}  // namespace texelscope
