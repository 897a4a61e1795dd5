// Smooth surfaces: constant, ramp, parabola, a soft disc with alpha.

#include "app/files/test_images/generators.h"
#include "app/files/test_images/random.h"
#include "app/files/test_images/raster.h"

namespace texelscope {

Image make_constant(int width, int height) {
    return painted_gray<uint8_t>(width, height, [](int, int) { return 128 / 255.0; });
}

// From 0 in the first column to 1 in the last.
Image make_ramp(int width, int height) {
    return painted_gray<uint16_t>(width, height, [=](int x, int) { return width > 1 ? x / double(width - 1) : 0.0; });
}

// (X² + Y²) / 2ᵏ, X and Y from the centre, k the least that keeps it within 1: no rounding up to 2000 × 2000.
Image make_parabola(int width, int height) {
    const double half_width = 0.5 * (width - 1), half_height = 0.5 * (height - 1);
    double scale = 1;
    while (scale * (half_width * half_width + half_height * half_height) > 1) scale /= 2;
    return painted_gray<float>(width, height, [=](int x, int y) {
        const double dx = x - half_width, dy = y - half_height;
        return scale * (dx * dx + dy * dy);
    });
}

// Straight alpha. Where it is zero the colour is loud noise, which must never be seen: it shows as a fringe when
// colour is interpolated without being multiplied by alpha first.
Image make_alpha(int width, int height) {
    const double radius = 0.46 * std::min(width, height);
    Image image = painted<uint8_t, 4>(width, height, [=](int x, int y) {
        const double dx = x - 0.5 * (width - 1), dy = y - 0.5 * (height - 1);
        const double r = std::sqrt(dx * dx + dy * dy);
        const double alpha = 1 - smoothstep(0.7 * radius, radius, r);
        if (stored<uint8_t>(alpha) == 0) {
            const uint64_t bits = random_bits(0xa1fa, uint64_t(y) * uint64_t(width) + uint64_t(x));
            return bits & 1 ? std::array<double, 4>{0, 1, 0, 0} : std::array<double, 4>{1, 0, 1, 0};
        }
        // A ball lit from above: paler towards the top, darker towards the rim.
        const double height_in_disc = 0.5 - 0.5 * dy / (radius + 1), rim = r / (radius + 1);
        const double light = 0.25 + 0.75 * height_in_disc - 0.2 * rim * rim;
        return std::array<double, 4>{0.35 * light + 0.6 * light * light, 0.75 * light + 0.2 * light * light,
                                     0.2 + 0.8 * light, alpha};
    });
    image.set_alpha(Alpha::straight);
    return image;
}

}  // namespace texelscope
