#include "app/files/test_images/generators.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/test_images/test_images.h"
#include "gpu/core/errors.h"
#include "gpu/core/parallel.h"
#include "gpu/core/text.h"
#include "gpu/weights/weights.h"

namespace texelscope {

void parallel_ranges(int64_t count, int64_t piece, const std::function<void(int64_t, int64_t)>& body) {
    parallel_for(work::formula, (count + piece - 1) / piece, 1,
                 [&](int64_t i) { body(i * piece, std::min(count, (i + 1) * piece)); });
}

double cos_turns(double turns) {
    // |t| ≤ 1/2, then folded to a sine or cosine of at most an eighth of a turn; every step here is exact.
    double t = std::abs(turns - std::nearbyint(turns));
    const bool negative = t > 0.25;
    if (negative) t = 0.5 - t;
    const bool as_sine = t > 0.125;
    if (as_sine) t = 0.25 - t;
    const double a = two_pi * t, a2 = a * a;
    // Taylor series, |a| ≤ π/4: the first term left out is below 1e-17.
    double sum = 0;
    for (int k = 16; k >= 2; k -= 2) sum = (1 - sum) * a2 / double(as_sine ? k * (k + 1) : k * (k - 1));
    const double value = as_sine ? a * (1 - sum) : 1 - sum;
    return negative ? -value : value;
}

// Smooth surfaces: constant, ramp, parabola, a soft disc with alpha.

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

// The basilica, the Julia set of z² − 1, inside and outside coloured by the stripe average (Härkönen 2007, "On smooth
// fractal coloring techniques") and by the distance to the set.

namespace {

struct Sample {
    bool inside = false;
    double distance = 0;  // to the set, in the complex plane
    double stripes = 0;   // −1 … 1
};

struct Colour {
    double r = 0, g = 0, b = 0;
};

constexpr int max_iterations = 400;
constexpr double escape2 = 1e8;    // |z|² far outside: z² − 1 is z² to 8 digits
constexpr double capture2 = 1e-6;  // |z|² near 0, the superattracting cycle 0 ↔ −1

// sin(4 arg z + φ) of w = z², without trigonometry: (w / |w|)² = e^{4i arg z}.
double stripe(double wx, double wy, double w2) {
    constexpr double cos_phase = 0.8, sin_phase = 0.6;
    const double scale = 1 / (w2 * w2);
    const double real = (wx * wx - wy * wy) * scale, imaginary = 2 * wx * wy * scale;
    return imaginary * cos_phase + real * sin_phase;
}

// z0 enters only through its square, which makes the picture symmetric about its centre to the last bit.
Sample sample_at(double x, double y) {
    if (x * x + y * y < 1e-12) return {true, 0.25, 0};  // the limit, where z_1 rounds to −1 and all else to 0 / 0
    double derivative2 = 4 * (x * x + y * y);           // |dz_n / dz_0|²
    double zx = x * x - y * y - 1, zy = 2 * x * y;
    double sum = 0, sum_before = 0, sum_before_that = 0;
    for (int n = 1; n <= max_iterations; ++n) {
        const double xx = zx * zx, yy = zy * zy, z2 = xx + yy;
        if (z2 > escape2 || z2 < capture2) {
            const bool inside = z2 < capture2;
            // Böttcher coordinate: z outside; 2z near 0, where two steps are −2z². Its logarithm doubles every step
            // (every second one), so `fraction` runs from 0 to 1 between two stopping times.
            const double log_size = 0.5 * std::log(inside ? 4 * z2 : z2);
            const double log_limit = 0.5 * std::log(inside ? 4 * capture2 : escape2);
            const double fraction = std::clamp(std::log2(log_size / log_limit), 0.0, 1.0);
            const int terms = n - 1, terms_before = inside ? n - 3 : n - 2;
            const double mean = sum / std::max(terms, 1);
            const double mean_before = (inside ? sum_before_that : sum_before) / std::max(terms_before, 1);
            double distance = std::sqrt(z2 / derivative2) * std::abs(log_size);
            if (inside) {  // |φ| |ln |φ|| / |φ'| holds near the set only; deep inside it is (1 − |φ|²) / 2|φ'|
                const double depth = std::ldexp(-log_size, -(n / 2));
                distance *= depth > 1e-3 ? std::sinh(depth) / depth : 1;
            }
            return {inside, distance, mean + (mean_before - mean) * fraction};
        }
        const double wx = xx - yy, wy = 2 * zx * zy;
        sum_before_that = std::exchange(sum_before, sum);
        sum += stripe(wx, wy, z2);
        derivative2 *= 4 * z2;
        zx = wx - 1;
        zy = wy;
    }
    return {};
}

Colour mix(const Colour& a, const Colour& b, double t) {
    return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

// Through four colours at t = 0, 0.35, 0.7, 1.
Colour through(const std::array<Colour, 4>& stops, double t) {
    if (t < 0.35) return mix(stops[0], stops[1], std::max(t, 0.0) / 0.35);
    if (t < 0.7) return mix(stops[1], stops[2], (t - 0.35) / 0.35);
    return mix(stops[2], stops[3], (std::min(t, 1.0) - 0.7) / 0.3);
}

Colour colour_of(const Sample& s) {
    static constexpr std::array<Colour, 4> cold{
        {{0.045, 0.052, 0.066}, {0.16, 0.225, 0.29}, {0.52, 0.635, 0.69}, {0.98, 0.965, 0.92}}};
    static constexpr std::array<Colour, 4> warm{
        {{0.05, 0.04, 0.04}, {0.24, 0.135, 0.085}, {0.74, 0.45, 0.2}, {1.0, 0.9, 0.68}}};
    if (s.inside) {
        const double nearness = 1 / (1 + 7 * std::sqrt(s.distance));
        return through(warm, (1.2 * nearness - 0.02) * (0.55 + 1.15 * s.stripes));
    }
    const double nearness = 1 / (1 + 2.6 * std::sqrt(s.distance));
    return through(cold, nearness * (0.65 + 0.8 * s.stripes));
}

using Levels = std::array<uint8_t, 3>;

// Pixels of the first half of a picture of this size, row by row. The second half mirrors it at the centre.
class FirstHalf {
public:
    // The set spans 3.24 × 1.6; all of it is in view, and its centre is that of the image.
    FirstHalf(int width, int height) : width_(width), height_(height), step_(std::max(3.4 / width, 1.85 / height)) {}

    Levels operator()(int64_t index) const {
        constexpr int grid = 3;  // samples per pixel and axis
        const double left = double(index % width_) - 0.5 * width_, top = double(index / width_) - 0.5 * height_;
        Colour sum;  // of squares: close to linear light, and a square root is the same on every machine
        for (int k = 0; k < grid * grid; ++k) {
            const double x = (left + (k % grid + 0.5) / grid) * step_, y = (top + (k / grid + 0.5) / grid) * step_;
            const Colour c = colour_of(sample_at(x, -y));
            sum.r += c.r * c.r;
            sum.g += c.g * c.g;
            sum.b += c.b * c.b;
        }
        return {stored<uint8_t>(std::sqrt(sum.r) / grid), stored<uint8_t>(std::sqrt(sum.g) / grid),
                stored<uint8_t>(std::sqrt(sum.b) / grid)};
    }

private:
    int width_, height_;
    double step_;
};

}  // namespace

Image make_basilica(const PicturePart& part) {
    const SampleRegion& region = part.region;
    Image image(region.width, region.height, 3, SampleType::u8);
    const FirstHalf pixel(part.width, part.height);
    const int64_t pixels = int64_t(part.width) * part.height, half = (pixels + 1) / 2;
    uint8_t* bytes = image.row_as<uint8_t>(0);
    if (!part.is_whole()) {
        for (int64_t y = region.y; y < region.y + region.height; ++y)
            for (int64_t x = region.x; x < region.x + region.width; ++x) {
                const int64_t i = y * part.width + x;
                bytes = std::ranges::copy(pixel(i < half ? i : pixels - 1 - i), bytes).out;
            }
        return image;
    }
    parallel_ranges(half, 4096, [&](int64_t first, int64_t last) {
        for (int64_t i = first; i < last; ++i) {
            const Levels levels = pixel(i);
            std::ranges::copy(levels, bytes + 3 * i);
            std::ranges::copy(levels, bytes + 3 * (pixels - 1 - i));
        }
    });
    return image;
}

// Lines of samples: typed or dragged numbers, and the samples of a formula.

namespace {

constexpr std::string_view samples_prefix = "@samples:", signal_prefix = "@signal:";
constexpr double furthest = 1e6, least_rate = 1e-3, highest_rate = 1e6, largest_value = 1e30;

[[noreturn]] void refuse(std::string_view source, const std::string& why) {
    throw UsageError(fmt::format("{}: {}", source.substr(0, source.find(':')), why));
}

// The parts of "0..4@8": where the line begins and ends, and how many samples there are per unit. "0@8": without an end.
struct LinePlace {
    double from = 0, to = 0, rate = 1;
};

std::optional<LinePlace> parsed_place(std::string_view text, bool with_end) {
    const size_t at = text.find('@'), dots = text.find("..");
    if (at == text.npos || (dots != text.npos) != with_end || (with_end && dots > at)) return {};
    LinePlace place;
    if (!parse_number(text.substr(0, with_end ? dots : at), place.from)) return {};
    place.to = place.from;
    if (with_end && !parse_number(text.substr(dots + 2, at - dots - 2), place.to)) return {};
    if (!parse_number(text.substr(at + 1), place.rate)) return {};
    if (!(std::abs(place.from) <= furthest && std::abs(place.to) <= furthest && place.from <= place.to)) return {};
    if (!(place.rate >= least_rate && place.rate <= highest_rate)) return {};
    return place;
}

void take_values(SampleLine& line, std::string_view source, std::string_view text) {
    for (bool more = true; more;) {
        const size_t comma = text.find(',');
        const std::string_view item = trimmed(text.substr(0, comma));
        double value = 0;
        if (!parse_number(item, value) || !(std::abs(value) <= largest_value))
            refuse(source, fmt::format("{} is not a number; write @samples:0,1,0.5, with commas between the samples",
                                       shown(item)));
        line.values.push_back(double(float(value)));
        if (line.values.size() > SampleLine::most)
            refuse(source, fmt::format("a line has up to {} samples", SampleLine::most));
        more = comma != text.npos;
        if (more) text.remove_prefix(comma + 1);
    }
}

}  // namespace

std::function<double(double)> SampleLine::function() const {
    if (formula.empty()) return {};
    WeightFile file;
    file.formula = formula;
    if (const auto problem = problem_of_words(file)) throw WeightError(*problem);
    return [parsed = std::make_shared<const Formula>(file)](double x) { return (*parsed)(x, {}); };
}

std::string SampleLine::source() const {
    if (!formula.empty()) return fmt::format("{}{}..{}@{}:{}", signal_prefix, from, to, rate, formula);
    const bool placed = from != 0 || rate != 1;
    return fmt::format("{}{}{}", samples_prefix, placed ? fmt::format("{}@{}:", from, rate) : "",
                       fmt::join(std::vector<float>(values.begin(), values.end()), ","));
}

std::optional<SampleLine> parse_sample_line(std::string_view source) {
    const bool typed = source.starts_with(samples_prefix);
    if (!typed && !source.starts_with(signal_prefix)) return {};
    SampleLine line;
    std::string_view rest = source.substr((typed ? samples_prefix : signal_prefix).size());
    const size_t colon = rest.find(':');
    const auto place = colon == rest.npos ? std::nullopt : parsed_place(rest.substr(0, colon), !typed);
    if (place) {
        line.from = place->from;
        line.to = place->to;
        line.rate = place->rate;
        rest = rest.substr(colon + 1);
    } else if (!typed || colon != rest.npos) {
        refuse(source, fmt::format("write {}, with |x| up to {} and a rate of {} … {}",
                                   typed ? "@samples:FROM@RATE:0,1,0.5"
                                         : "@signal:FROM..TO@RATE:FORMULA, "
                                           "as @signal:0..4@8:cos(2*pi*3*x)",
                                   furthest, least_rate, highest_rate));
    }
    if (typed) {
        take_values(line, source, rest);
        return line;
    }
    if (rest.empty() || rest.size() > WeightFile::most_formula_bytes)
        refuse(source, fmt::format("the formula must have 1 … {} characters", WeightFile::most_formula_bytes));
    line.formula = rest;
    const double count = std::floor((place->to - place->from) * place->rate + 1e-9) + 1;
    if (count > double(SampleLine::most))
        refuse(source, fmt::format("a line has up to {} samples, not {}", SampleLine::most, count));
    try {
        const auto value = line.function();
        for (size_t k = 0; k < size_t(count); ++k) {
            line.values.push_back(double(float(value(line.at(k)))));
            if (!(std::abs(line.values.back()) <= largest_value))
                refuse(source, fmt::format("the formula has no value at x = {:.6g}", line.at(k)));
        }
    } catch (const WeightError& error) {
        refuse(source, fmt::format("{} (character {} of the formula)", error.problem.sentence, error.problem.column));
    }
    return line;
}

Image samples_of(const SampleLine& line) {
    Image image(int(line.values.size()), 1, 1, SampleType::f32);
    for (size_t k = 0; k < line.values.size(); ++k) image.row_as<float>(0)[k] = float(line.values[k]);
    image.set_one_dimensional(true);
    return image;
}

}  // namespace texelscope
