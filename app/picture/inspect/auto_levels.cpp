#include "app/picture/inspect/auto_levels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/picture/inspect/histogram.h"
#include "app/picture/inspect/statistics.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/core/colour.h"
#include "gpu/core/quantile.h"

namespace texelscope {
namespace {

constexpr double most_pixels = 1 << 20;

// The values of one pixel that count, appended.
void append_pixel(const Image& image, int x, int y, ChannelView shown, std::vector<double>& values) {
    const bool has_alpha = image.alpha() != Alpha::none;
    const int colours = image.channels() - (has_alpha ? 1 : 0);
    const float alpha = has_alpha ? image.value(x, y, colours) : 1.0f;
    const auto append = [&](double value) {
        if (std::isfinite(value)) values.push_back(value);
    };
    if (shown == ChannelView::alpha) return append(double(alpha));
    if (alpha < least_alpha) return;
    const float share = image.alpha() == Alpha::premultiplied ? alpha : 1.0f;
    const auto colour = [&](int c) {
        return colours == 1  ? double(image.value(x, y, 0) / share)
               : c < colours ? double(image.value(x, y, c) / share)
                             : 0.0;
    };
    switch (shown) {
        case ChannelView::first: return append(colour(0));
        case ChannelView::second: return append(colour(1));
        case ChannelView::third: return append(colour(2));
        case ChannelView::luma: return append(luma(colour(0), colour(1), colour(2)));
        default: break;
    }
    for (int c = 0; c < std::min(colours, 3); ++c) append(colour(c));
}

}  // namespace

std::optional<Levels> auto_levels(const Image& image, const std::optional<Region>& region, ChannelView shown,
                                  double share) {
    const SampleBox box = samples_in(region, image);
    if (box.empty()) return {};
    const double pixels = (double(box.x1) - box.x0 + 1) * (double(box.y1) - box.y0 + 1);
    const int step = std::max(1, int(std::ceil(std::sqrt(pixels / most_pixels))));
    std::vector<double> values;
    for (int y = box.y0; y <= box.y1; y += step)
        for (int x = box.x0; x <= box.x1; x += step) append_pixel(image, x, y, shown, values);
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const Levels levels{float(quantile(values, share)), float(quantile(values, 1 - share))};
    if (!(levels.black < levels.white)) return {};
    return levels;
}

std::optional<Levels> auto_levels_in_view(SourceImage& source, const RenderRequest& picture,
                                          const std::optional<MeasureJob::Selection>& selection, ChannelView shown,
                                          double share) {
    RenderRequest request = picture;
    if (request.outside == Outside::background) request.outside = Outside::nan;
    Image values = source.render_to_image(request);
    const int channels = values.channels();
    for (int j = 0; selection && j < values.height(); ++j)
        for (int i = 0; i < values.width(); ++i)
            if (!is_selected(*selection, i, j)) std::fill_n(values.row_as<float>(j) + i * channels, channels, NAN);
    return auto_levels(values, {}, shown, share);
}

}  // namespace texelscope
