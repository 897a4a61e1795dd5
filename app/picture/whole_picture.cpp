#include "app/picture/whole_picture.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace texelscope {
namespace {

int scaled_side(int samples, double factor) {
    const double side = std::max(1.0, std::round(samples * factor));
    if (!(side <= double(max_image_side)))
        throw UsageError(fmt::format("--factor {:.6g}: the output would be {:.6g} pixels wide or high; the limit is {}",
                                     factor, side, max_image_side));
    return int(side);
}

double factor_y(const WholePicture& picture, const Image& image) {
    return image.one_dimensional() ? 1 : picture.factor.y;
}

}  // namespace

Extent extent_of(const WholePicture& picture, const Image& image) {
    if (picture.size) return *picture.size;
    return {scaled_side(image.width(), picture.factor.x), scaled_side(image.height(), factor_y(picture, image))};
}

RenderRequest request_for(const WholePicture& picture, const Image& image) {
    const Extent size = extent_of(picture, image);
    RenderRequest request;
    request.spec = picture.spec;
    request.antialias = picture.antialias;
    request.width = size.width;
    request.height = size.height;
    // A factor steps by exactly 1/F from the origin, however the size is rounded.
    request.positions = picture.align == Align::origin && !picture.size
                            ? Affine{1 / picture.factor.x, 0, -0.5, 0, 1 / factor_y(picture, image), -0.5}
                            : aligned_affine(picture.align, image.width(), image.height(), size.width, size.height);
    return request;
}

}  // namespace texelscope
