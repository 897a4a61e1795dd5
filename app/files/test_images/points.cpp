// Impulses and dots.

#include "app/files/test_images/generators.h"
#include "app/files/test_images/raster.h"

namespace texelscope {

// One white sample in every 16 × 16, or one in the middle of a smaller image.
Image make_impulse_grid(const PicturePart& part) {
    const int width = part.width, height = part.height;
    constexpr int spacing = 16;
    const int left = std::min(spacing / 2 - 1, (width - 1) / 2), top = std::min(spacing / 2 - 1, (height - 1) / 2);
    return painted_gray<uint8_t>(part,
                                 [=](int x, int y) { return x % spacing == left && y % spacing == top ? 1.0 : 0.0; });
}

// A disc in every 32 × 32: its radius grows from ½ to 8 pixels along a row of sixteen, its centre moves by 1/8 pixel
// from one disc to the next below. Each pixel is the part of 64 × 64 points that lie in the disc.
Image make_dots(const PicturePart& part) {
    constexpr int cell = 32, points = 64;
    return painted_gray<uint8_t>(part, [=](int x, int y) {
        // Everything in units of half a point, so that all of it is exact.
        const int unit = 2 * points;
        const int radius = ((x / cell) % 16 + 1) * unit / 2, shift = ((y / cell) % 8) * unit / 8;
        const int left = (x % cell - cell / 2) * unit - shift, top = (y % cell - cell / 2) * unit - shift;
        // Pixels whose centre is more than 3/4 pixel from the rim need no counting.
        const int cx = left + points, cy = top + points, square = cx * cx + cy * cy, band = unit * 3 / 4;
        if (square > (radius + band) * (radius + band)) return 0.0;
        if (radius > band && square < (radius - band) * (radius - band)) return 1.0;
        int inside = 0;
        for (int j = 0; j < points; ++j)
            for (int i = 0; i < points; ++i) {
                const int dx = left + 2 * i + 1, dy = top + 2 * j + 1;
                inside += dx * dx + dy * dy < radius * radius;
            }
        return inside / double(points * points);
    });
}

}  // namespace texelscope
