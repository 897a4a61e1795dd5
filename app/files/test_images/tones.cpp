// Smooth surfaces: constant, ramp, parabola, a soft disc with alpha.

#include "app/files/test_images/generators.h"

namespace texelscope {
namespace {

class Constant : public PictureFunction {
public:
    std::array<double, 4> at(Point) const override { return {128 / 255.0}; }
};

// From 0 in the first column to 1 in the last.
class Ramp : public PictureFunction {
public:
    explicit Ramp(int width) : length_(width - 1) {}
    std::array<double, 4> at(Point p) const override { return {length_ > 0 ? p.x / length_ : 0}; }

private:
    double length_;
};

// (X² + Y²) / 2ᵏ, X and Y from the centre, k the least that keeps it within 1: no rounding up to 2000 × 2000.
class Parabola : public PictureFunction {
public:
    Parabola(int width, int height) : middle_{0.5 * (width - 1), 0.5 * (height - 1)} {
        while (scale_ * (middle_.x * middle_.x + middle_.y * middle_.y) > 1) scale_ /= 2;
    }
    std::array<double, 4> at(Point p) const override {
        const double dx = p.x - middle_.x, dy = p.y - middle_.y;
        return {scale_ * (dx * dx + dy * dy)};
    }

private:
    Point middle_;
    double scale_ = 1;
};

// A ball lit from above: paler towards the top, darker towards the rim.
class SoftDisc : public PictureFunction {
public:
    SoftDisc(int width, int height)
        : middle_{0.5 * (width - 1), 0.5 * (height - 1)}, radius_(0.46 * std::min(width, height)) {}

    std::array<double, 4> at(Point p) const override {
        const double dx = p.x - middle_.x, dy = p.y - middle_.y, r = std::sqrt(dx * dx + dy * dy);
        const double height_in_disc = 0.5 - 0.5 * dy / (radius_ + 1), rim = r / (radius_ + 1);
        const double light = 0.25 + 0.75 * height_in_disc - 0.2 * rim * rim;
        return {0.35 * light + 0.6 * light * light, 0.75 * light + 0.2 * light * light, 0.2 + 0.8 * light,
                1 - smoothstep(0.7 * radius_, radius_, r)};
    }

private:
    Point middle_;
    double radius_;
};

}  // namespace

std::unique_ptr<const PictureFunction> constant(int, int) { return std::make_unique<Constant>(); }
std::unique_ptr<const PictureFunction> ramp(int width, int) { return std::make_unique<Ramp>(width); }
std::unique_ptr<const PictureFunction> parabola(int width, int height) {
    return std::make_unique<Parabola>(width, height);
}
std::unique_ptr<const PictureFunction> alpha(int width, int height) {
    return std::make_unique<SoftDisc>(width, height);
}

Image make_constant(const PicturePart& part) { return sampled<uint8_t, 1>(*constant(part.width, part.height), part); }
Image make_ramp(const PicturePart& part) { return sampled<uint16_t, 1>(*ramp(part.width, part.height), part); }
Image make_parabola(const PicturePart& part) { return sampled<float, 1>(*parabola(part.width, part.height), part); }

// Straight alpha. If it is zero the colour is loud noise, which must never be seen: it shows as a fringe when colour is
// interpolated without being multiplied by alpha first.
Image make_alpha(const PicturePart& part) {
    const int width = part.width, height = part.height;
    const SoftDisc disc(width, height);
    Image image = painted<uint8_t, 4>(part, [&](int x, int y) {
        const std::array<double, 4> value = disc.at({double(x), double(y)});
        if (stored<uint8_t>(value[3]) > 0) return value;
        const uint64_t bits = random_bits(0xa1fa, uint64_t(y) * uint64_t(width) + uint64_t(x));
        return bits & 1 ? std::array<double, 4>{0, 1, 0, 0} : std::array<double, 4>{1, 0, 1, 0};
    });
    image.set_alpha(Alpha::straight);
    return image;
}

}  // namespace texelscope
