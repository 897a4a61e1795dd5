// A star and rings: edges one sample wide in every direction.

#include "app/files/test_images/generators.h"
#include "app/files/test_images/raster.h"

namespace texelscope {
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
