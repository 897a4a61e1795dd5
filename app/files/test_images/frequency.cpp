// Waves and chirps: pictures whose local frequency is known everywhere.

#include "app/files/test_images/generators.h"
#include "app/files/test_images/raster.h"

namespace texelscope {
namespace {

// numerator / denominator in turns, minus whole turns; exact up to the division.
double turns_of(double numerator, double denominator) { return std::fmod(numerator, denominator) / denominator; }

// Phase r² / 2N turns about the centre, N the longer side: r / N cycles per sample, 1/2 at the end of the longer axis.
class CentredChirp : public PictureFunction {
public:
    CentredChirp(int width, int height) : width_(width), height_(height), longer_(std::max(width, height)) {}

    std::array<double, 4> at(Point p) const override { return {0.5 + 0.5 * cos_turns(turns(p))}; }

    LocalDetail detail(Point p) const override {
        return {.waves = {{{(p.x - (width_ - 1) / 2) / longer_, (p.y - (height_ - 1) / 2) / longer_}}}};
    }

protected:
    // From twice the distance to the centre, an integer at samples: the phase is exact there, at any size.
    double turns(Point p) const {
        const double dx = 2 * p.x - (width_ - 1), dy = 2 * p.y - (height_ - 1);
        return turns_of(dx * dx + dy * dy, 8 * longer_);
    }

private:
    double width_, height_, longer_;
};

// e^{iφ} with the same phase: modulus 1 everywhere, which interpolation does not keep.
class ComplexChirp : public CentredChirp {
public:
    using CentredChirp::CentredChirp;
    std::array<double, 4> at(Point p) const override { return {cos_turns(turns(p)), sin_turns(turns(p))}; }
};

// Phase r² / 4N turns about the top left sample: x / 2N cycles per sample in x, y / 2N in y.
class CornerChirp : public PictureFunction {
public:
    CornerChirp(int width, int height) : longer_(std::max(width, height)) {}

    std::array<double, 4> at(Point p) const override {
        return {0.5 + 0.5 * cos_turns(turns_of(p.x * p.x + p.y * p.y, 4 * longer_))};
    }
    LocalDetail detail(Point p) const override { return {.waves = {{{p.x / (2 * longer_), p.y / (2 * longer_)}}}}; }

private:
    double longer_;
};

class PlaneWave : public PictureFunction {
public:
    explicit PlaneWave(Point frequency) : frequency_(frequency) {}
    std::array<double, 4> at(Point p) const override { return {cos_turns(frequency_.x * p.x + frequency_.y * p.y)}; }
    LocalDetail detail(Point) const override { return {.waves = {{frequency_}}}; }

private:
    Point frequency_;
};

// The mean of three waves, of 14.3, 7.1 and 5.1 samples per period, from 0 to 1.
class Waves : public PictureFunction {
public:
    std::array<double, 4> at(Point p) const override {
        double sum = 0;
        for (const PlaneWave& wave : waves_) sum += wave.at(p)[0];
        return {0.5 + sum / 6};
    }
    LocalDetail detail(Point p) const override {
        LocalDetail all;
        for (size_t i = 0; i < waves_.size(); ++i) all.waves[i] = waves_[i].detail(p).waves[0];
        return all;
    }

private:
    std::array<PlaneWave, 3> waves_{PlaneWave({1 / 16.0, 1 / 32.0}), PlaneWave({-1 / 16.0, 1 / 8.0}),
                                    PlaneWave({3 / 16.0, 1 / 16.0})};
};

}  // namespace

std::unique_ptr<const PictureFunction> zone_plate(int width, int height) {
    return std::make_unique<CentredChirp>(width, height);
}
std::unique_ptr<const PictureFunction> zone_plate_corner(int width, int height) {
    return std::make_unique<CornerChirp>(width, height);
}
std::unique_ptr<const PictureFunction> complex_chirp(int width, int height) {
    return std::make_unique<ComplexChirp>(width, height);
}
std::unique_ptr<const PictureFunction> waves(int, int) { return std::make_unique<Waves>(); }
std::unique_ptr<const PictureFunction> plane_wave(Point frequency) { return std::make_unique<PlaneWave>(frequency); }

Image make_zone_plate(const PicturePart& part) {
    return sampled<uint8_t, 1>(*zone_plate(part.width, part.height), part);
}
Image make_zone_plate_corner(const PicturePart& part) {
    return sampled<uint8_t, 1>(*zone_plate_corner(part.width, part.height), part);
}
Image make_complex_chirp(const PicturePart& part) {
    return sampled<float, 2>(*complex_chirp(part.width, part.height), part);
}
Image make_waves(const PicturePart& part) { return sampled<float, 1>(*waves(part.width, part.height), part); }

}  // namespace texelscope
