#include "app/picture/whole_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/backend/least_squares.h"

namespace texelscope {
namespace {

int scaled_side(int samples, double factor) {
    const double side = std::max(1.0, std::round(samples * factor));
    if (!(side <= double(max_image_side)))
        throw UsageError(fmt::format("--factor {:.6g}: the output would be {:.6g} pixels wide or high; the limit is {}",
                                     factor, side, max_image_side));
    return int(side);
}

double factor_y(const WholePicture& picture, const ImageShape& image) {
    return image.one_dimensional ? 1 : picture.factor.y;
}

constexpr double samples_at_once =
    1 << 20;  // that a band of rows reads or writes: a CPU takes some hundredths of a second

}  // namespace

Extent extent_of(const WholePicture& picture, const ImageShape& image) {
    if (picture.size) return *picture.size;
    return {scaled_side(image.width, picture.factor.x), scaled_side(image.height, factor_y(picture, image))};
}

RenderRequest request_for(const WholePicture& picture, const ImageShape& image) {
    const Extent size = extent_of(picture, image);
    RenderRequest request;
    request.spec = picture.spec;
    request.antialias = picture.antialias;
    request.width = size.width;
    request.height = size.height;
    // A factor steps by exactly 1/F from the origin, however the size is rounded.
    request.positions = picture.align == Align::origin && !picture.size
                            ? affine_of_factor(picture.factor.x, factor_y(picture, image))
                            : aligned_affine(picture.align, image.width, image.height, size.width, size.height);
    return request;
}

Image render_in_bands(SourceImage& source, const RenderRequest& request,
                      const std::function<void(int row, int rows)>& progress) {
    const Affine& positions = *request.positions;
    const double samples_per_pixel = std::max(1.0, std::abs(positions.xx * positions.yy - positions.xy * positions.yx));
    const bool jumps = request.spec.method->smoothness < 0 || request.spec.path == FetchPath::hardware;
    const int at_once =
        jumps ? request.height : int(std::clamp(samples_at_once / (samples_per_pixel * request.width), 16.0, 4096.0));
    Image whole(request.width, request.height, source.samples().channels(), SampleType::f32, source.samples().alpha());
    for (int row = 0; row < request.height; row += at_once) {
        progress(row, request.height);
        RenderRequest band = request;
        band.height = std::min(at_once, request.height - row);
        band.positions->x0 += positions.xy * row;
        band.positions->y0 += positions.yy * row;
        const Image part = source.render_to_image(band);
        std::memcpy(whole.row(row), part.data(), part.size_bytes());
    }
    return whole;
}

void check_least_squares(const WholePicture& picture) {
    if (!picture.least_squares || has_least_squares(*picture.spec.method)) return;
    std::vector<std::string_view> ids;
    for (const MethodInfo* method : all_methods())
        if (has_least_squares(*method)) ids.push_back(method->id);
    throw UsageError(fmt::format("{} cannot shrink by least squares: choose one of {}", picture.spec.method->id,
                                 fmt::join(ids, ", ")));
}

Image rendered(SourceImage& source, const WholePicture& picture, const RenderRequest& request) {
    check_least_squares(picture);
    return picture.least_squares ? least_squares_image(source, request) : source.render_to_image(request);
}

}  // namespace texelscope
