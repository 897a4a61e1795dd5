// Edges at known positions: step, slanted edge, checkerboards, frame.

#include "app/files/test_images/generators.h"

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

// 64 | 192 of 255, so that an overshoot can be seen. The edge lies halfway between samples ⌊w/2⌋ − 1 and ⌊w/2⌋.
class Step : public PictureFunction {
public:
    explicit Step(int width) : edge_(width / 2 - 0.5) {}
    std::array<double, 4> at(Point p) const override { return {(p.x < edge_ ? 64 : 192) / 255.0}; }
    LocalDetail detail(Point p) const override { return {.edge_distance = std::abs(p.x - edge_)}; }

private:
    double edge_;
};

// 5° from vertical through the centre, 0.2 | 0.8 (contrast 4:1 as in ISO 12233), the mean over the square of one sample
// around each position.
class SlantedEdge : public PictureFunction {
public:
    SlantedEdge(int width, int height) : middle_{0.5 * (width - 1), 0.5 * (height - 1)} {}

    std::array<double, 4> at(Point p) const override {
        const double d = distance(p);
        return {0.2 + 0.6 * (d > 1 ? 1 : d < -1 ? 0 : covered_by_edge(d, cos5, sin5))};
    }
    LocalDetail detail(Point p) const override { return {.edge_distance = std::abs(distance(p)), .edge_width = 1}; }

private:
    static constexpr double cos5 = 0.9961946980917455, sin5 = 0.08715574274765817;
    double distance(Point p) const { return (p.x - middle_.x) * cos5 + (p.y - middle_.y) * sin5; }

    Point middle_;
};

// Squares of `cell` samples; they meet halfway between two samples.
class Checkerboard : public PictureFunction {
public:
    explicit Checkerboard(int cell) : cell_(cell) {}

    std::array<double, 4> at(Point p) const override {
        const auto index = [this](double x) { return int64_t(std::floor((x + 0.5) / cell_)); };
        return {double((index(p.x) + index(p.y)) & 1)};
    }
    LocalDetail detail(Point p) const override {
        const auto distance = [this](double x) { return std::abs(x + 0.5 - cell_ * std::round((x + 0.5) / cell_)); };
        return {.edge_distance = std::min(distance(p.x), distance(p.y))};
    }

private:
    double cell_;
};

// The part of the pixel covered by a line one pixel wide through the middle of `size` pixels.
double middle_line(int i, int size) { return std::clamp(1 - std::abs(i - 0.5 * (size - 1)), 0.0, 1.0); }

}  // namespace

std::unique_ptr<const PictureFunction> step(int width, int) { return std::make_unique<Step>(width); }
std::unique_ptr<const PictureFunction> slanted_edge(int width, int height) {
    return std::make_unique<SlantedEdge>(width, height);
}
std::unique_ptr<const PictureFunction> checkerboard(int, int) { return std::make_unique<Checkerboard>(8); }

Image make_step(const PicturePart& part) { return sampled<uint8_t, 1>(*step(part.width, part.height), part); }
Image make_slanted_edge(const PicturePart& part) {
    return sampled<uint16_t, 1>(*slanted_edge(part.width, part.height), part);
}
Image make_checkerboard(const PicturePart& part) {
    return sampled<uint8_t, 1>(*checkerboard(part.width, part.height), part);
}
Image make_checkerboard_1px(const PicturePart& part) { return sampled<uint8_t, 1>(Checkerboard(1), part); }

// Tiles of 32 × 32 with joints of 2 pixels: every other one is ruled with stripes of 2 pixels, along x or y by turns. Repeats
// every 128 pixels.
Image make_plane(const PicturePart& part) {
    constexpr int tile = 32, joint = 2, stripe = 2;
    return painted_gray<uint8_t>(part, [=](int x, int y) {
        if (x % tile < joint || y % tile < joint) return 0.1;
        const int column = x / tile, row = y / tile;
        if ((column + row) % 2 == 0) return 0.8;
        const int across = row % 2 == 0 ? x : y;
        return across / stripe % 2 == 0 ? 0.3 : 0.6;
    });
}

// White outermost pixels, thin lines through the exact centre, and an F that distinguishes mirrored from repeated.
Image make_frame(const PicturePart& part) {
    const int width = part.width, height = part.height;
    const int scale = std::min(width, height) / 32;
    return painted_gray<uint8_t>(part, [=](int x, int y) {
        if (x == 0 || y == 0 || x == width - 1 || y == height - 1) return 1.0;
        const double line = std::max(middle_line(x, width), middle_line(y, height));
        const bool letter = scale > 0 && glyph_pixel('F', (x - width / 8) / scale, (y - height / 8) / scale) &&
                            x >= width / 8 && y >= height / 8;
        return letter ? 0.7 : 0.1 + 0.4 * line;
    });
}

// Impulses and dots.

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

// A star and rings: edges one sample wide in every direction.
namespace {

constexpr double edge_width = 1;  // samples

// 36 pairs of spokes. An edge lies where cos 36θ = 0 and is about r cos(36θ) / 36 away; clamping that distance
// antialiases it. Inside 36/π pixels the spokes pass 1/2 cycle per pixel: there the star fades to grey.
class SiemensStar : public PictureFunction {
public:
    SiemensStar(int width, int height)
        : middle_{0.5 * (width - 1), 0.5 * (height - 1)}, disc_(0.48 * std::min(width, height)) {}

    std::array<double, 4> at(Point p) const override {
        const double dx = p.x - middle_.x, dy = p.y - middle_.y, r = std::sqrt(dx * dx + dy * dy);
        const double contrast = std::clamp(disc_ + 0.5 - r, 0.0, 1.0) * fade(r);
        if (contrast == 0) return {0.5};
        return {0.5 + contrast * std::clamp(from_spoke(dx, r), -0.5, 0.5)};
    }

    LocalDetail detail(Point p) const override {
        const double dx = p.x - middle_.x, dy = p.y - middle_.y, r = std::sqrt(dx * dx + dy * dy);
        LocalDetail detail{.edge_distance = std::abs(r - disc_), .edge_width = edge_width};
        if (r > disc_ || fade(r) == 0) return detail;
        const double frequency = pairs / (two_pi * r);
        detail.waves[0] = {-dy / r * frequency, dx / r * frequency};
        detail.edge_distance = std::min(detail.edge_distance, std::abs(from_spoke(dx, r)));
        return detail;
    }

private:
    static constexpr double pairs = 36, nyquist_radius = 36 * 2 / two_pi;

    static double fade(double r) { return smoothstep(nyquist_radius, 1.3 * nyquist_radius, r); }

    // cos 36θ = T₃₆(cos θ), and 36 = 2·2·3·3: T₂(t) = 2t² − 1, T₃(t) = 4t³ − 3t.
    static double from_spoke(double dx, double r) {
        double t = dx / r;
        t = 2 * t * t - 1;
        t = 2 * t * t - 1;
        t = t * (4 * t * t - 3);
        t = t * (4 * t * t - 3);
        return t * r / pairs;
    }

    Point middle_;
    double disc_;
};

// White rings 1.5 pixels wide, one every 8 pixels.
class Rings : public PictureFunction {
public:
    Rings(int width, int height) : middle_{0.5 * (width - 1), 0.5 * (height - 1)} {}

    std::array<double, 4> at(Point p) const override {
        return {std::clamp(half_width + 0.5 - from_ring(radius(p)), 0.0, 1.0)};
    }

    LocalDetail detail(Point p) const override {
        const double r = radius(p), frequency = r > 0 ? 1 / (spacing * r) : 0;
        return {.waves = {{{(p.x - middle_.x) * frequency, (p.y - middle_.y) * frequency}}},
                .edge_distance = std::abs(from_ring(r) - half_width),
                .edge_width = edge_width};
    }

private:
    static constexpr double spacing = 8, half_width = 0.75;

    double radius(Point p) const {
        const double dx = p.x - middle_.x, dy = p.y - middle_.y;
        return std::sqrt(dx * dx + dy * dy);
    }
    // Distance to the middle of the nearest ring.
    static double from_ring(double radius) {
        const double r = radius / spacing;
        return spacing * std::abs(r - (std::floor(r) + 0.5));
    }

    Point middle_;
};

}  // namespace

std::unique_ptr<const PictureFunction> siemens_star(int width, int height) {
    return std::make_unique<SiemensStar>(width, height);
}
std::unique_ptr<const PictureFunction> rings(int width, int height) { return std::make_unique<Rings>(width, height); }

Image make_siemens_star(const PicturePart& part) {
    return sampled<uint8_t, 1>(*siemens_star(part.width, part.height), part);
}
Image make_rings(const PicturePart& part) { return sampled<uint8_t, 1>(*rings(part.width, part.height), part); }

}  // namespace texelscope
