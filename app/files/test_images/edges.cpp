// Edges at known positions: step, slanted edge, checkerboards, frame.

#include "app/files/test_images/font.h"
#include "app/files/test_images/generators.h"
#include "app/files/test_images/raster.h"

namespace texelscope {
namespace {

// The part of a unit square on the positive side of a straight edge, `distance` from the square's centre to the edge,
// (a, b) the edge's unit normal. The sum of the corners' ramps: Σ ± max(0, d ± a/2 ± b/2)² / 2ab.
double covered_by_edge(double distance, double a, double b) {
    const auto ramp = [](double t) { return t > 0 ? t * t : 0.0; };
    const double sum = ramp(distance + (a + b) / 2) - ramp(distance + (a - b) / 2) - ramp(distance - (a - b) / 2) +
                       ramp(distance - (a + b) / 2);
    return sum / (2 * a * b);
}

Image checkerboard(int width, int height, int cell) {
    return painted_gray<uint8_t>(width, height, [=](int x, int y) { return double((x / cell + y / cell) & 1); });
}

// The part of the pixel covered by a line one pixel wide through the middle of `size` pixels.
double middle_line(int i, int size) { return std::clamp(1 - std::abs(i - 0.5 * (size - 1)), 0.0, 1.0); }

}  // namespace

// 64 | 192 of 255, so that an overshoot can be seen. The edge lies between samples ⌊w/2⌋ − 1 and ⌊w/2⌋.
Image make_step(int width, int height) {
    return painted_gray<uint8_t>(width, height, [=](int x, int) { return (x < width / 2 ? 64 : 192) / 255.0; });
}

// 5° from vertical through the centre, 0.2 | 0.8 (contrast 4:1 as in ISO 12233), each pixel the mean over its area.
Image make_slanted_edge(int width, int height) {
    constexpr double cos5 = 0.9961946980917455, sin5 = 0.08715574274765817;
    return painted_gray<uint16_t>(width, height, [=](int x, int y) {
        const double distance = (x - 0.5 * (width - 1)) * cos5 + (y - 0.5 * (height - 1)) * sin5;
        const double covered = distance > 1 ? 1 : distance < -1 ? 0 : covered_by_edge(distance, cos5, sin5);
        return 0.2 + 0.6 * covered;
    });
}

Image make_checkerboard(int width, int height) { return checkerboard(width, height, 8); }
Image make_checkerboard_1px(int width, int height) { return checkerboard(width, height, 1); }

// White outermost pixels, thin lines through the exact centre, and an F that distinguishes mirrored from repeated.
Image make_frame(int width, int height) {
    const int scale = std::min(width, height) / 32;
    return painted_gray<uint8_t>(width, height, [=](int x, int y) {
        if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return 1.0;
        const double line = std::max(middle_line(x, width), middle_line(y, height));
        const bool letter = scale > 0 && glyph_pixel('F', (x - width / 8) / scale, (y - height / 8) / scale) &&
                            x >= width / 8 && y >= height / 8;
        return letter ? 0.7 : 0.1 + 0.4 * line;
    });
}

}  // namespace texelscope
