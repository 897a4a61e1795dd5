#include "app/state/view_math.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace texelscope {
namespace {

// Factors of 2^⅛ accumulate rounding errors; whole eighths of an octave are made exact again.
double snapped(double zoom) {
    const double eighths = 8 * std::log2(zoom);
    return std::abs(eighths - std::round(eighths)) < 1e-9 ? std::exp2(std::round(eighths) / 8) : zoom;
}

std::string short_number(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

// The smallest scale at which a box of the given size, rotated by the view, fits the output.
double fitting_scale(double width, double height, double rotate, Extent output) {
    const Affine turn = sampling_affine({0, 0, 1, rotate}, 1, 1, 1, 1);
    const double c = std::abs(turn.xx), s = std::abs(turn.yx);
    return std::max((width * c + height * s) / output.width, (width * s + height * c) / output.height);
}

}  // namespace

double lowest_zoom(double rotate, Extent image, Extent output) {
    return std::min(min_zoom, 1 / fitting_scale(image.width, image.height, rotate, output));
}

double stepped_zoom(double zoom, double factor, double lowest) {
    double result = snapped(std::clamp(zoom * factor, lowest, max_zoom));
    if ((zoom < 1 && result > 1) || (zoom > 1 && result < 1)) result = 1;
    return std::clamp(result, lowest, max_zoom);
}

double power_of_two_zoom(double zoom, int direction, double lowest) {
    const double octave = std::log2(zoom);
    // With a small tolerance: from 1.999999 the next power of two is 4, not 2.
    const double next = direction > 0 ? std::floor(octave + 1e-6) + 1 : std::ceil(octave - 1e-6) - 1;
    return std::clamp(std::exp2(next), lowest, max_zoom);
}

View zoomed_about(const View& view, double zoom, Extent image, Extent output, Point pixel) {
    View result = view;
    result.scale = 1 / std::clamp(zoom, lowest_zoom(view.rotate, image, output), max_zoom);
    const Point before =
        apply(sampling_affine(view, image.width, image.height, output.width, output.height), pixel.x, pixel.y);
    const Point after =
        apply(sampling_affine(result, image.width, image.height, output.width, output.height), pixel.x, pixel.y);
    result.translate_x += before.x - after.x;
    result.translate_y += before.y - after.y;
    return result;
}

View panned(const View& view, double dx, double dy) {
    const Affine a = sampling_affine(view, 1, 1, 1, 1);
    View result = view;
    result.translate_x -= a.xx * dx + a.xy * dy;
    result.translate_y -= a.yx * dx + a.yy * dy;
    return result;
}

View fitted(double rotate, Extent image, Extent output) {
    return {0, 0, std::max(fitting_scale(image.width, image.height, rotate, output), 1 / max_zoom), rotate};
}

View one_to_one(const View& view) {
    return {std::round(view.translate_x), std::round(view.translate_y), 1, view.rotate};
}

View zoomed_to(const Region& region, double rotate, Extent image, Extent output) {
    View result;
    result.translate_x = (region.x0 + region.x1) / 2 - (image.width - 1) / 2.0;
    result.translate_y = (region.y0 + region.y1) / 2 - (image.height - 1) / 2.0;
    result.scale = std::max(fitting_scale(region.width(), region.height(), rotate, output), 1 / max_zoom);
    result.rotate = rotate;
    return result;
}

View with_offset(const View& view, const View& offset) {
    return {view.translate_x * offset.scale + offset.translate_x, view.translate_y * offset.scale + offset.translate_y,
            view.scale * offset.scale, std::remainder(view.rotate + offset.rotate, 360.0)};
}

View without_offset(const View& view, const View& offset) {
    return {(view.translate_x - offset.translate_x) / offset.scale,
            (view.translate_y - offset.translate_y) / offset.scale, view.scale / offset.scale,
            std::remainder(view.rotate - offset.rotate, 360.0)};
}

int with_parity_of(int length, int image_length) {
    return length > 1 && image_length > 0 && (length - image_length) % 2 != 0 ? length - 1 : length;
}

View rotated(const View& view, double degrees) {
    View result = view;
    result.rotate = std::remainder(view.rotate + degrees, 360.0);
    if (result.rotate <= -180) result.rotate += 360;
    if (result.rotate == 0) result.rotate = 0;  // not −0
    return result;
}

View between(const View& a, const View& b, double t) {
    if (t <= 0) return a;
    if (t >= 1) return b;
    View result;
    result.scale = a.scale * std::pow(b.scale / a.scale, t);
    // The position follows the scale, so that the fixed point of a zoom stays fixed on the way too.
    const double way = b.scale != a.scale ? (result.scale - a.scale) / (b.scale - a.scale) : t;
    result.translate_x = std::lerp(a.translate_x, b.translate_x, way);
    result.translate_y = std::lerp(a.translate_y, b.translate_y, way);
    result.rotate = a.rotate + t * std::remainder(b.rotate - a.rotate, 360.0);
    return result;
}

double ease_out(double t) {
    const double rest = 1 - std::clamp(t, 0.0, 1.0);
    return 1 - rest * rest * rest;
}

std::string zoom_text(double zoom) {
    const double percent = 100 * zoom;
    const std::string shown = short_number(percent, percent < 1 ? 4 : percent < 10 ? 2 : percent < 100 ? 1 : 0);
    return zoom >= 1 ? fmt::format("{} % ({}:1)", shown, short_number(zoom, 2))
                     : fmt::format("{} % (1:{})", shown, short_number(1 / zoom, 2));
}

SampleRegion frame_around(const Image& image) {
    return image.frame().value_or(SampleRegion{0, 0, image.width(), image.height()});
}

Extent frame_size(const Image& image) {
    const SampleRegion frame = frame_around(image);
    return {frame.width, frame.height};
}

View about_samples(const View& view, const Image& image) {
    const SampleRegion frame = frame_around(image);
    View result = view;
    result.translate_x += double(frame.x) + (double(frame.width) - image.width()) / 2;
    result.translate_y += double(frame.y) + (double(frame.height) - image.height()) / 2;
    return result;
}

}  // namespace texelscope
