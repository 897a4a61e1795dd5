// Pictures whose local frequency is known everywhere.

#include "app/files/test_images/generators.h"
#include "app/files/test_images/raster.h"

namespace texelscope {
namespace {

// Twice the distance from the image's centre: an integer, so that phases below are exact at any size.
int64_t doubled_offset(int i, int size) { return 2 * int64_t(i) - (size - 1); }

// numerator / denominator in turns, minus whole turns.
double turns_of(int64_t numerator, int64_t denominator) {
    return double(numerator % denominator) / double(denominator);
}

// Phase r² / 2N turns about the centre, N the longer side: r / N cycles per pixel, 1/2 at the end of the longer axis.
double centred_chirp(int x, int y, int width, int height) {
    const int64_t dx = doubled_offset(x, width), dy = doubled_offset(y, height);
    return turns_of(dx * dx + dy * dy, 8 * int64_t(std::max(width, height)));
}

}  // namespace

Image make_zone_plate(int width, int height) {
    return painted_gray<uint8_t>(
        width, height, [=](int x, int y) { return 0.5 + 0.5 * cos_turns(centred_chirp(x, y, width, height)); });
}

// Phase r² / 4N turns about the top left sample: x / 2N cycles per pixel in x, y / 2N in y.
Image make_zone_plate_corner(int width, int height) {
    const int64_t denominator = 4 * int64_t(std::max(width, height));
    return painted_gray<uint8_t>(width, height, [=](int x, int y) {
        return 0.5 + 0.5 * cos_turns(turns_of(int64_t(x) * x + int64_t(y) * y, denominator));
    });
}

// e^{iφ} with the zone plate's phase: modulus 1 everywhere, which interpolation does not keep.
Image make_complex_chirp(int width, int height) {
    return painted<float, 2>(width, height, [=](int x, int y) {
        const double turns = centred_chirp(x, y, width, height);
        return std::array<double, 2>{cos_turns(turns), sin_turns(turns)};
    });
}

// 36 pairs of spokes. An edge lies where cos 36θ = 0 and is about r cos(36θ) / 36 away; clamping that distance
// antialiases it. Inside 36/π pixels the spokes pass 1/2 cycle per pixel: there the star fades to grey.
Image make_siemens_star(int width, int height) {
    constexpr double pairs = 36, nyquist_radius = 36 * 2 / two_pi;
    const double disc = 0.48 * std::min(width, height);
    return painted_gray<uint8_t>(width, height, [=](int x, int y) {
        const double dx = 0.5 * double(doubled_offset(x, width)), dy = 0.5 * double(doubled_offset(y, height));
        const double r = std::sqrt(dx * dx + dy * dy);
        const double contrast =
            std::clamp(disc + 0.5 - r, 0.0, 1.0) * smoothstep(nyquist_radius, 1.3 * nyquist_radius, r);
        if (contrast == 0) return 0.5;
        // cos 36θ = T₃₆(cos θ), and 36 = 2·2·3·3: T₂(t) = 2t² − 1, T₃(t) = 4t³ − 3t.
        double t = dx / r;
        t = 2 * t * t - 1;
        t = 2 * t * t - 1;
        t = t * (4 * t * t - 3);
        t = t * (4 * t * t - 3);
        return 0.5 + contrast * std::clamp(t * r / pairs, -0.5, 0.5);
    });
}

// White rings 1.5 pixels wide, one every 8 pixels.
Image make_rings(int width, int height) {
    constexpr double spacing = 8, half_width = 0.75;
    return painted_gray<uint8_t>(width, height, [=](int x, int y) {
        const double dx = 0.5 * double(doubled_offset(x, width)), dy = 0.5 * double(doubled_offset(y, height));
        const double r = std::sqrt(dx * dx + dy * dy) / spacing;
        const double from_ring = spacing * std::abs(r - (std::floor(r) + 0.5));
        return std::clamp(half_width + 0.5 - from_ring, 0.0, 1.0);
    });
}

}  // namespace texelscope
