#include "app/drawing/canvas.h"

#include <algorithm>
#include <cmath>

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

}  // namespace texelscope
