#include "app/picture/inspect/stored_samples.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace texelscope {

Image stored_samples(SourceImage& source, const AddressPair& address, const SampleRegion& region) {
    RenderRequest request;
    request.spec = default_spec(parse_method("nearest"));
    request.spec.address = address;
    request.width = region.width;
    request.height = region.height;
    request.positions = Affine{1, 0, double(region.x), 0, 1, double(region.y)};
    return source.render_to_image(request);
}

std::optional<PartOfImage> part_between(SourceImage& source, const AddressPair& address, Point a, Point b,
                                        const WindowReach& reach) {
    constexpr double most = 0x1p24;  // values
    const auto axis = [](double from, double to, int around) {
        const auto [low, high] = std::minmax(from, to);
        const double first = std::floor(low) - around;
        return std::pair(first, std::ceil(high) + around - first + 1);
    };
    const auto [x, width] = axis(a.x, b.x, reach.x);
    const auto [y, height] = axis(a.y, b.y, reach.y);
    if (!(width * height * source.samples().channels() <= most)) return {};
    return PartOfImage{stored_samples(source, address, {int64_t(x), int64_t(y), int(width), int(height)}), int(x),
                       int(y)};
}

}  // namespace texelscope
