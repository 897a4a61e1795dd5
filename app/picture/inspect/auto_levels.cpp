#include "app/picture/inspect/auto_levels.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/picture/inspect/statistics.h"
#include "app/picture/straight_values.h"
#include "gpu/compare/compared_pixel.h"
#include "gpu/core/quantile.h"

namespace texelscope {
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
