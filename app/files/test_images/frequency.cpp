// Waves and chirps: pictures whose local frequency is known everywhere.

#include <string>

#include "app/files/test_images/generators.h"

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

namespace {

// Four bands: a sweep, then gratings of fixed period, upright, level and diagonal.
constexpr std::array<int, 8> periods{32, 16, 12, 8, 6, 4, 3, 2};  // samples per cycle
constexpr int gap = 3;                                            // grey samples left of and above a grating
constexpr double octaves_times_ln2 = 3.4657359027997265;          // of the sweep, 1/64 to 1/2 cycle per sample

constexpr int tag_height = 9;
int tag_width(int period) { return (period < 10 ? 1 : 2) * glyph_advance + 1; }

// The cell of the chart at a position; cells meet halfway between two samples.
struct Cell {
    int band, column;
    double x, y;  // in it, samples

    int period() const { return periods[size_t(column)]; }
};

class FrequencyChart : public PictureFunction {
public:
    FrequencyChart(int width, int height)
        : width_(width), band_height_((height + 3) / 4), column_width_((width + 7) / 8) {}

    Cell cell_at(Point p) const {
        Cell cell{int(std::clamp(std::floor((p.y + 0.5) / band_height_), 0.0, 3.0)),
                  int(std::clamp(std::floor((p.x + 0.5) / column_width_), 0.0, 7.0)), 0, 0};
        cell.x = p.x - double(cell.column) * column_width_;
        cell.y = p.y - double(cell.band) * band_height_;
        return cell;
    }

    // Whether this cell, if there is room, has a number that labels its grating. The number is no part of the function.
    bool has_tag(const Cell& cell) const { return cell.band == 1 && band_height_ >= 24 && column_width_ >= 24; }

    std::array<double, 4> at(Point p) const override {
        const Cell cell = cell_at(p);
        if (cell.band == 0) return {0.5 + 0.5 * cos_turns(sweep(p.x))};
        if (in_gap(cell)) return {0.5};
        const double along = cell.band == 1 ? cell.x : cell.band == 2 ? cell.y : cell.x + cell.y;
        const double period = cell.period();
        return {0.5 + 0.5 * cos_turns(std::fmod(along, period) / period)};
    }

    LocalDetail detail(Point p) const override {
        const Cell cell = cell_at(p);
        LocalDetail detail{.edge_distance = edge_distance(cell)};
        if (cell.band == 0) detail.waves[0] = {std::exp(octaves_times_ln2 * p.x / width_) / 64, 0};
        else if (!in_gap(cell))
            detail.waves[0] = {cell.band == 2 ? 0 : 1.0 / cell.period(), cell.band == 1 ? 0 : 1.0 / cell.period()};
        return detail;
    }

private:
    // Frequency rises by the same factor every sample; the phase is its integral.
    double sweep(double x) const {
        return width_ / (64 * octaves_times_ln2) * (std::exp(octaves_times_ln2 * x / width_) - 1);
    }

    bool has_left_gap(const Cell& cell) const { return cell.column > 0 && column_width_ > 2 * gap; }
    bool has_upper_gap() const { return band_height_ > 2 * gap; }
    bool in_gap(const Cell& cell) const {
        return (has_left_gap(cell) && cell.x < gap - 0.5) || (has_upper_gap() && cell.y < gap - 0.5);
    }

    // To the sides of the cell and of its gaps.
    double edge_distance(const Cell& cell) const {
        const auto to = [](double position, double edge) { return std::abs(position - (edge - 0.5)); };
        double distance = std::min(to(cell.y, 0), to(cell.y, band_height_));
        if (cell.band == 0) return distance;
        if (has_tag(cell)) distance = std::min(distance, tag_distance(cell));
        distance = std::min({distance, to(cell.x, 0), to(cell.x, column_width_)});
        if (has_left_gap(cell)) distance = std::min(distance, to(cell.x, gap));
        if (has_upper_gap()) distance = std::min(distance, to(cell.y, gap));
        return distance;
    }

    // To the number, 0 on it.
    static double tag_distance(const Cell& cell) {
        const auto beyond = [](double position, int size) {
            return std::max({gap - 0.5 - position, position - (gap + size - 0.5), 0.0});
        };
        return std::max(beyond(cell.x, tag_width(cell.period())), beyond(cell.y, tag_height));
    }

    double width_;
    int band_height_, column_width_;
};

// A black tag with the period in white, at the corner of its grating. Negative if there is no tag.
double tag(int period, int x, int y) {
    if (x < 0 || y < 0 || x >= tag_width(period) || y >= tag_height) return -1;
    const std::string text = std::to_string(period);
    const size_t index = size_t(std::max(0, x - 1) / glyph_advance);
    return x > 0 && glyph_pixel(text[index], (x - 1) % glyph_advance, y - 1) ? 1 : 0;
}

}  // namespace

std::unique_ptr<const PictureFunction> frequency_chart(int width, int height) {
    return std::make_unique<FrequencyChart>(width, height);
}

Image make_frequency_chart(const PicturePart& part) {
    const int width = part.width, height = part.height;
    const FrequencyChart chart(width, height);
    return painted_gray<uint8_t>(part, [&](int x, int y) {
        const Point p{double(x), double(y)};
        const Cell cell = chart.cell_at(p);
        if (chart.has_tag(cell))
            if (const double ink = tag(cell.period(), int(cell.x) - gap, int(cell.y) - gap); ink >= 0) return ink;
        return chart.at(p)[0];
    });
}

}  // namespace texelscope
