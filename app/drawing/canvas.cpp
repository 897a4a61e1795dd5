#include "app/drawing/canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace texelscope {
namespace {

void set(uint8_t* pixel, Paint ink) {
    pixel[0] = ink.r;
    pixel[1] = ink.g;
    pixel[2] = ink.b;
}

// Coverage of the pixel centred at (x, y) by a box with round corners.
double coverage(const Box& box, double radius, double x, double y) {
    const double dx = std::abs(x - box.x - box.width / 2) - box.width / 2 + radius;
    const double dy = std::abs(y - box.y - box.height / 2) - box.height / 2 + radius;
    const double outside = std::hypot(std::max(dx, 0.0), std::max(dy, 0.0)) + std::min(std::max(dx, dy), 0.0) - radius;
    return std::clamp(0.5 - outside, 0.0, 1.0);
}

}  // namespace

Canvas::Canvas(int width, int height, Paint background) : image_(width, height, 3, SampleType::u8) {
    fill({0, 0, double(width), double(height)}, background);
}

void Canvas::fill(const Box& box, Paint ink) {
    const auto clamped = [](double at, int n) { return int(std::clamp(std::round(at), 0.0, double(n))); };
    const int x0 = clamped(box.x, image_.width()), x1 = clamped(box.x + box.width, image_.width());
    const int y0 = clamped(box.y, image_.height()), y1 = clamped(box.y + box.height, image_.height());
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) set(image_.row_as<uint8_t>(y) + size_t(x) * 3, ink);
}

void Canvas::chip(const Box& box, double radius, Paint ink) {
    const int x0 = std::max(0, int(box.x)), x1 = std::min(image_.width() - 1, int(box.x + box.width));
    const int y0 = std::max(0, int(box.y)), y1 = std::min(image_.height() - 1, int(box.y + box.height));
    for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) blend(x, y, coverage(box, radius, x + 0.5, y + 0.5), ink);
}

void Canvas::blend(int x, int y, double coverage, Paint ink) {
    uint8_t* pixel = image_.row_as<uint8_t>(y) + size_t(x) * 3;
    const std::array colour = {ink.r, ink.g, ink.b};
    for (size_t c = 0; c < 3; ++c) pixel[c] = uint8_t(std::lround(pixel[c] * (1 - coverage) + colour[c] * coverage));
}

void Canvas::picture(int x, int y, const Image& source, int times) {
    const size_t channels = size_t(source.channels());
    const int width = std::min(source.width() * times, image_.width() - x);
    const int height = std::min(source.height() * times, image_.height() - y);
    for (int j = 0; j < height; ++j) {
        uint8_t* to = image_.row_as<uint8_t>(y + j) + size_t(x) * 3;
        const uint8_t* from = source.row_as<uint8_t>(j / times);
        for (int i = 0; i < width; ++i, to += 3) std::copy_n(from + size_t(i / times) * channels, 3, to);
    }
}

double Canvas::text(const TextRaster& raster, TextRaster::Face face, double em, double x, double y, Paint ink,
                    std::string_view text) {
    return raster.draw(image_, face, em, x, y + raster.cap_height(face, em) / 2, ink, text);
}

namespace {

// Lines on a canvas.

// Whole pixels [x0, x1) × [y0, y1).
struct Pixels {
    int x0, y0, x1, y1;
};

Pixels pixels_of(const Box& box, const Image& image) {
    const auto at = [](double v, int n) { return int(std::clamp(v, 0.0, double(n))); };
    return {at(std::floor(box.x), image.width()), at(std::floor(box.y), image.height()),
            at(std::ceil(box.x + box.width), image.width()), at(std::ceil(box.y + box.height), image.height())};
}

Pixels both(const Pixels& a, const Pixels& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

Box bounds_of(std::span<const Point> points, double reach) {
    Point low{1e30, 1e30}, high{-1e30, -1e30};
    for (const Point& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return {low.x - reach, low.y - reach, high.x - low.x + 2 * reach, high.y - low.y + 2 * reach};
}

double distance_to(const Point& a, const Point& b, double x, double y) {
    const double dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
    const double t = squared > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / squared, 0.0, 1.0) : 0.0;
    return std::hypot(x - a.x - t * dx, y - a.y - t * dy);
}

}  // namespace

// Coverage is gathered for the whole line first, so that pixels where its pieces meet do not count twice.
void Canvas::stroke(std::span<const Point> line, double width, Paint ink, const Box& clip) {
    const double reach = width / 2 + 0.5;
    const Pixels all = both(pixels_of(clip, image_), pixels_of(bounds_of(line, reach), image_));
    const int columns = std::max(0, all.x1 - all.x0);
    std::vector<float> coverage(size_t(columns) * size_t(std::max(0, all.y1 - all.y0)));
    for (size_t k = 0; k < line.size(); ++k) {
        const Point a = line[k], b = line[k + 1 < line.size() ? k + 1 : k];
        const Pixels box = both(all, pixels_of(bounds_of(std::array{a, b}, reach), image_));
        for (int y = box.y0; y < box.y1; ++y)
            for (int x = box.x0; x < box.x1; ++x) {
                float& sum = coverage[size_t(y - all.y0) * size_t(columns) + size_t(x - all.x0)];
                const double here = std::clamp(reach - distance_to(a, b, x + 0.5, y + 0.5), 0.0, 1.0);
                sum = std::max(sum, float(here));
            }
    }
    for (int y = all.y0; y < all.y1; ++y)
        for (int x = all.x0; x < all.x1; ++x)
            if (const float c = coverage[size_t(y - all.y0) * size_t(columns) + size_t(x - all.x0)]; c > 0)
                blend(x, y, double(c), ink);
}

void Canvas::fill_down(std::span<const Point> line, double bottom, double opacity, Paint ink, const Box& clip) {
    const Pixels all = pixels_of(clip, image_);
    for (int x = all.x0; x < all.x1 && line.size() > 1; ++x) {
        const double at = x + 0.5;
        if (at < line.front().x || at > line.back().x) continue;
        const auto after = std::upper_bound(line.begin() + 1, line.end() - 1, at,
                                            [](double value, const Point& point) { return value < point.x; });
        const Point a = *(after - 1), b = *after;
        const double top = b.x > a.x ? std::lerp(a.y, b.y, (at - a.x) / (b.x - a.x)) : b.y;
        for (int y = std::max(all.y0, int(top)); y < all.y1; ++y) {
            const double share = std::clamp(std::min(y + 1.0, bottom) - std::max(double(y), top), 0.0, 1.0);
            blend(x, y, share * opacity, ink);
        }
    }
}

void Canvas::text_upwards(const TextRaster& raster, TextRaster::Face face, double em, double x, double y, Paint ink,
                          Paint background, std::string_view text) {
    const int length = int(std::ceil(raster.width(face, em, text))) + 2, height = int(std::ceil(1.5 * em));
    Canvas lying(length, height, background);
    lying.text(raster, face, em, 1, height / 2.0, ink, text);
    const int left = int(std::lround(x - height / 2.0)), top = int(std::lround(y - length / 2.0));
    for (int j = 0; j < length; ++j)
        for (int i = 0; i < height; ++i) {
            const int to_x = left + i, to_y = top + length - 1 - j;
            if (to_x < 0 || to_y < 0 || to_x >= image_.width() || to_y >= image_.height()) continue;
            const uint8_t* from = lying.image_.row_as<uint8_t>(i) + size_t(j) * 3;
            std::copy_n(from, 3, image_.row_as<uint8_t>(to_y) + size_t(to_x) * 3);
        }
}

}  // namespace texelscope
