// Discs that hide one another: edges and flat parts at every scale, with the statistics of natural images.

#include "app/files/test_images/generators.h"
#include "app/files/test_images/raster.h"

namespace texelscope {
namespace {

struct Disc {
    double x, y, radius;
    std::array<float, 3> colour;
};

// A muted colour: any brightness, a hue between blue and orange, little saturation.
std::array<float, 3> leaf_colour(double brightness, double hue, double saturation) {
    const double level = 0.06 + 0.86 * brightness, tint = (hue - 0.5) * (0.15 + 0.45 * saturation) * level;
    return {float(level + tint), float(level + 0.1 * tint), float(level - tint)};
}

}  // namespace

// Radii distributed as r⁻³ (Lee, Mumford & Huang 2001). Painted from back to front, with enough discs that they miss a
// pixel with probability e⁻⁹ only.
Image make_dead_leaves(int width, int height) {
    const double least = 1.2, most = std::max(4.0, 0.22 * std::min(width, height));
    const double reach_x = width + 2 * most, reach_y = height + 2 * most;
    const double mean_area = two_pi * std::log(most / least) / (1 / (least * least) - 1 / (most * most));
    const int64_t discs = int64_t(9 * reach_x * reach_y / mean_area);

    Image image(width, height, 3, SampleType::u8);
    std::vector<float> canvas(image.size_bytes(), 0.35f);
    const auto paint = [&](const Disc& disc) {
        const int left = std::max(0, int(std::floor(disc.x - disc.radius)));
        const int right = std::min(width - 1, int(std::ceil(disc.x + disc.radius)));
        const int top = std::max(0, int(std::floor(disc.y - disc.radius)));
        const int bottom = std::min(height - 1, int(std::ceil(disc.y + disc.radius)));
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x) {
                const double dx = x - disc.x, dy = y - disc.y;
                const float covered = float(std::clamp(disc.radius + 0.5 - std::sqrt(dx * dx + dy * dy), 0.0, 1.0));
                float* pixel = &canvas[(size_t(y) * size_t(width) + size_t(x)) * 3];
                for (size_t c = 0; c < 3; ++c) pixel[c] += (disc.colour[c] - pixel[c]) * covered;
            }
    };
    for (int64_t i = 0; i < discs; ++i) {
        const auto draw = [&](uint64_t k) { return random_unit(0x1eaf, uint64_t(i) * 6 + k); };
        const double shrink = 1 - draw(2) * (1 - (least * least) / (most * most));  // inverse of r⁻³'s distribution
        paint({draw(0) * reach_x - most, draw(1) * reach_y - most, least / std::sqrt(shrink),
               leaf_colour(draw(3), draw(4), draw(5))});
    }
    for (int y = 0; y < height; ++y) {
        uint8_t* row = image.row_as<uint8_t>(y);
        const float* from = &canvas[size_t(y) * image.row_bytes()];
        for (size_t i = 0; i < image.row_bytes(); ++i) row[i] = stored<uint8_t>(from[i]);
    }
    return image;
}

}  // namespace texelscope
