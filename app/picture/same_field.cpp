#include "app/picture/comparison.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/picture/first_look.h"
#include "app/state/view_math.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/colour.h"
#include "gpu/core/errors.h"
#include "gpu/display/pixel.h"

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
        if (request.warp.kind == Warp::Kind::homography) request.warp = over_other_size(request.warp, rx, ry);
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

namespace {

// What is left for the antialiased reduction after blocks of pixels have been averaged: enough that they do not show.
constexpr int least_reduction = 3;

bool is_coded(const Image& image) { return is_normalised(image.type()); }
int colours_of(const Image& image) { return image.channels() - (image.alpha() == Alpha::none ? 0 : 1); }

// From the samples of an image to light.
class ToLight {
public:
    explicit ToLight(const Image& image) : image_(image), coded_(is_coded(image)) {
        const int levels = !coded_ ? 0 : image.type() == SampleType::u8 ? 256 : 65536;
        for (int i = 0; i < levels; ++i) light_.push_back(float(srgb_decoded(double(i) / (levels - 1))));
    }
    // Premultiplied, of a colour.
    float operator()(int x, int y, int channel, float alpha) const {
        if (!coded_) return image_.value(x, y, channel) * (image_.alpha() == Alpha::straight ? alpha : 1.0f);
        const size_t at = size_t(x) * size_t(image_.channels()) + size_t(channel);
        const uint32_t level =
            image_.type() == SampleType::u8 ? image_.row_as<uint8_t>(y)[at] : image_.row_as<uint16_t>(y)[at];
        if (image_.alpha() != Alpha::premultiplied) return light_[level] * alpha;
        return float(srgb_decoded(double(straight_value(image_.value(x, y, channel), alpha)))) * alpha;
    }

private:
    const Image& image_;
    bool coded_;
    std::vector<float> light_;  // of each level
};

// The mean light of blocks of n×n pixels, those at the lower and right edge of fewer; f32, premultiplied.
Image block_means(const Image& image, int n, const std::stop_token& stop) {
    const int channels = image.channels(), colours = colours_of(image);
    const ToLight light(image);
    Image means((image.width() + n - 1) / n, (image.height() + n - 1) / n, channels, SampleType::f32,
                image.alpha() == Alpha::none ? Alpha::none : Alpha::premultiplied);
    for (int y = 0; y < image.height(); ++y) {
        if (stop.stop_requested()) throw Cancelled("making a small picture was cancelled");
        float* row = means.row_as<float>(y / n);
        const int rows = std::min(n, image.height() - y / n * n);
        for (int x = 0; x < image.width(); ++x) {
            const float share = 1 / float(rows * std::min(n, image.width() - x / n * n));
            const float alpha = colours < channels ? image.value(x, y, colours) : 1.0f;
            float* sum = row + size_t(x / n) * size_t(channels);
            for (int c = 0; c < colours; ++c) sum[c] += share * light(x, y, c, alpha);
            if (colours < channels) sum[colours] += share * alpha;
        }
    }
    return means;
}

// The whole image in so many pixels: f32, premultiplied light.
Image shrunk(const Image& image, Extent size, const std::stop_token& stop) {
    const int n = std::max(
        1, std::min(image.width() / (least_reduction * size.width), image.height() / (least_reduction * size.height)));
    const Image means = block_means(image, n, stop);
    SourceImage source(make_cpu_backend(), means);
    RenderRequest request =
        resize_request(source.samples(), default_spec(parse_method("catmull-rom")), size.width, size.height);
    return source.render_to_image(request);
}

// From premultiplied light to the screen's straight colours.
class ToScreen {
public:
    explicit ToScreen(const Image& image)
        : coded_(is_coded(image)),
          channels_(image.channels()),
          colours_(colours_of(image)),
          levels_(look_at(image).levels.value_or(Levels{})) {
        if (!image.profile() || (colours_ != 1 && colours_ != 3)) return;
        made_ = ask_conversion(*image.profile(), colours_, {});
        if (!made_.problem.empty()) made_.conversion.kind = ColourConversion::Kind::none;
        made_.conversion.values = made_.values.data();
    }
    ToScreen(const ToScreen&) = delete;
    ToScreen& operator=(const ToScreen&) = delete;

    bool has_alpha() const { return colours_ < channels_; }

    void operator()(const float* light, uint8_t* pixel) const {
        const float alpha = has_alpha() ? light[colours_] : 1.0f;
        double values[4] = {};
        std::copy_n(light, channels_, values);
        if (const uint32_t mark = mark_of(values, channels_)) return put(mark, pixel);
        float colour[3] = {};
        for (int c = 0; c < std::min(colours_, 3); ++c) {
            colour[c] = straight_value(light[c], alpha);
            if (coded_) colour[c] = srgb_encoded(std::clamp(colour[c], 0.0f, 1.0f));
        }
        if (channels_ == 2 && !has_alpha()) {  // complex numbers
            const float part = levelled(std::hypot(colour[0], colour[1]));
            const Rgb c = polar_colour(part, std::atan2(colour[1], colour[0]));
            return put(rgba_of(c.r, c.g, c.b), pixel);
        }
        for (float& v : colour) v = levelled(v);
        if (colours_ == 1) colour[1] = colour[2] = colour[0];
        convert_colour(made_.conversion, colour);
        code_colour(made_.conversion, colour);
        for (int c = 0; c < 3; ++c) pixel[c] = uint8_t(to_8_bits(colour[c]));
        if (has_alpha()) pixel[3] = uint8_t(to_8_bits(alpha));
    }

private:
    float levelled(float v) const { return (v - levels_.black) / (levels_.white - levels_.black); }
    void put(uint32_t colour, uint8_t* pixel) const {
        for (int c = 0; c < 3; ++c) pixel[c] = uint8_t(colour >> (8 * c));
        if (has_alpha()) pixel[3] = 255;
    }

    bool coded_;
    int channels_, colours_;
    Levels levels_;
    ProfileConversion made_;
};

}  // namespace

Extent fitted_extent(Extent image, Extent box) {
    const double scale =
        std::min({1.0, double(box.width) / std::max(image.width, 1), double(box.height) / std::max(image.height, 1)});
    return {std::max(1, int(std::lround(image.width * scale))), std::max(1, int(std::lround(image.height * scale)))};
}

Image small_picture(const Image& image, Extent box, const std::stop_token& stop) {
    const Extent size = fitted_extent({image.width(), image.height()}, box);
    const Image light = shrunk(image, size, stop);
    const ToScreen to_screen(image);
    Image small(size.width, size.height, to_screen.has_alpha() ? 4 : 3, SampleType::u8,
                to_screen.has_alpha() ? Alpha::straight : Alpha::none);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
            to_screen(light.row_as<float>(y) + size_t(x) * size_t(light.channels()),
                      small.row_as<uint8_t>(y) + size_t(x) * size_t(small.channels()));
    return small;
}

}  // namespace texelscope
