#include "app/picture/same_field.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/state/framed_view.h"

namespace texelscope {
namespace {

// The factors between which large / factor, rounded, is small: `above` and `below` are how far it may be from small.
struct Factors {
    double least, most;
    Factors(int large, int small, double above, double below)
        : least(large / (small + above)), most(large / std::max(small - below, 0.0)) {}
};

// Maps positions to the same area of the frame, in the other image's samples.
Affine mapped(const Affine& a, const SampleRegion& frame, const SampleRegion& other, double rx, double ry) {
    const double x0 = (a.x0 - double(frame.x) + 0.5) * rx - 0.5 + double(other.x);
    const double y0 = (a.y0 - double(frame.y) + 0.5) * ry - 0.5 + double(other.y);
    return {a.xx * rx, a.xy * rx, x0, a.yx * ry, a.yy * ry, y0};
}

// Moves a request from `image` to `other`, which are parts of frames of one size.
void move_to(RenderRequest& request, const Image& image, const Image& other) {
    const View from = about_samples({}, image), to = about_samples({}, other);
    if (from == to) return;
    request.view.translate_x += to.translate_x - from.translate_x;
    request.view.translate_y += to.translate_y - from.translate_y;
    if (request.positions)
        request.positions = mapped(*request.positions, frame_around(image), frame_around(other), 1, 1);
}

std::string size_text(const Image& image) {
    return fmt::format("{}×{}", frame_size(image).width, frame_size(image).height);
}

}  // namespace

bool same_shape(const Image& a, const Image& b) {
    if (a.one_dimensional() || b.one_dimensional()) return a.one_dimensional() == b.one_dimensional();
    const Extent of_a = frame_size(a), of_b = frame_size(b);
    const auto [small, large] = of_a.width <= of_b.width ? std::pair(of_a, of_b) : std::pair(of_b, of_a);
    constexpr std::pair<double, double> roundings[] = {{0.5, 0.5}, {1, 0}, {0, 1}};  // to nearest, down, up
    return std::any_of(std::begin(roundings), std::end(roundings), [&, s = small, l = large](const auto& rounding) {
        const Factors x(l.width, s.width, rounding.first, rounding.second),
            y(l.height, s.height, rounding.first, rounding.second);
        return std::max(x.least, y.least) < std::min(x.most, y.most);
    });
}

std::string why_not_same_field(const Image& image, std::string_view name, const Image& other,
                               std::string_view other_name) {
    if (image.channels() != other.channels() || image.one_dimensional() != other.one_dimensional())
        return fmt::format("{} is {}, {} is {}: both must have the same channels", other_name, describe(other), name,
                           describe(image));
    if (same_shape(image, other)) return {};
    return fmt::format("{} has {} samples, {} has {}: their sides must have the same ratio, to show the same field",
                       other_name, size_text(other), name, size_text(image));
}

void leave_out_beyond(Rendition& against, const Rendition& shown) {
    const bool parts = (shown.image && shown.image->frame()) || (against.image && against.image->frame());
    if (parts && against.request.outside == Outside::background) against.request.outside = Outside::nan;
}

double times_as_large(const Image& other, const Image& image) {
    return double(frame_size(other).width) / frame_size(image).width;
}

Rendition over_same_field(const Rendition& rendition, std::shared_ptr<const Image> other) {
    Rendition result = rendition;
    result.float64 = true;
    const Image& image = *rendition.image;
    if (frame_size(*other) != frame_size(image)) {
        const double rx = times_as_large(*other, image),
                     ry = double(frame_size(*other).height) / frame_size(image).height;
        RenderRequest& request = result.request;
        Affine positions = mapped(positions_of(request, image.width(), image.height()), frame_around(image),
                                  frame_around(*other), rx, ry);
        if (other->one_dimensional()) positions.yx = positions.yy = positions.y0 = 0;
        request.positions = positions;
        if (request.warp.kind == Warp::Kind::ripple) request.warp.strength *= rx;  // in samples
        request.spec = default_spec(parse_method("bspline"));
        request.spec.path = FetchPath::global;
        request.spec.address = rendition.request.spec.address;
        request.antialias = true;
    } else {
        move_to(result.request, image, *other);
    }
    result.image = std::move(other);
    return result;
}

}  // namespace texelscope
