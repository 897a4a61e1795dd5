// Random samples, and noise with the spectrum of natural images.

#include <bit>
#include <complex>
#include <utility>
#include <vector>

#include "app/files/test_images/generators.h"

namespace texelscope {
namespace {

// A plain radix-2 Fourier transform in double precision, enough to shape noise. Internal to this folder.

class Fft {
public:
    explicit Fft(int log2_size);
    size_t size() const { return size_; }

    // In place over size() values, X(k) = Σ x(n) e^{−2πi kn/size}, unscaled. The inverse, up to scale, is the
    // transform of the conjugate, conjugated.
    void forward(std::complex<double>* values) const;

private:
    size_t size_;
    std::vector<std::complex<double>> roots_;  // e^{−2πi k/size}, k < size / 2
};

Fft::Fft(int log2_size) : size_(size_t(1) << log2_size), roots_(size_ / 2) {
    for (size_t k = 0; k < roots_.size(); ++k) {
        const double turns = double(k) / double(size_);
        roots_[k] = {cos_turns(turns), -sin_turns(turns)};
    }
}

void Fft::forward(std::complex<double>* values) const {
    for (size_t i = 1, reversed = 0; i < size_; ++i) {
        size_t bit = size_ >> 1;
        for (; reversed & bit; bit >>= 1) reversed ^= bit;
        reversed ^= bit;
        if (i < reversed) std::swap(values[i], values[reversed]);
    }
    for (size_t half = 1; half < size_; half *= 2) {
        const size_t stride = size_ / (2 * half);
        for (size_t block = 0; block < size_; block += 2 * half)
            for (size_t k = 0; k < half; ++k) {
                std::complex<double>&a = values[block + k], &b = values[block + k + half];
                const std::complex<double> w = roots_[k * stride];
                // Written out: operator* of std::complex looks for NaN and is several times slower.
                const std::complex<double> wb{w.real() * b.real() - w.imag() * b.imag(),
                                              w.real() * b.imag() + w.imag() * b.real()};
                b = a - wb;
                a += wb;
            }
    }
}

constexpr double noise_mean = 0.5, noise_deviation = 0.15;

// A field of complex doubles, both sides powers of two, transformed along rows and then along columns.
struct Field {
    int log2_width, log2_height;
    int64_t width = int64_t(1) << log2_width, height = int64_t(1) << log2_height;
    std::vector<std::complex<double>> values = std::vector<std::complex<double>>(size_t(width * height));

    void transform() {
        const Fft along_x(log2_width), along_y(log2_height);
        parallel_ranges(height, std::max<int64_t>(1, 16384 / width), [&](int64_t first, int64_t last) {
            for (int64_t y = first; y < last; ++y) along_x.forward(&values[size_t(y * width)]);
        });
        // Columns are copied out eight at a time, so that whole cache lines are used.
        const int64_t batch = std::min<int64_t>(64, width), together = std::min<int64_t>(8, width);
        std::vector<std::complex<double>> columns(size_t(batch * height));
        for (int64_t left = 0; left < width; left += batch)
            parallel_ranges(batch, together, [&](int64_t first, int64_t last) {
                for (int64_t y = 0; y < height; ++y)
                    for (int64_t i = first; i < last; ++i)
                        columns[size_t(i * height + y)] = values[size_t(y * width + left + i)];
                for (int64_t i = first; i < last; ++i) along_y.forward(&columns[size_t(i * height)]);
                for (int64_t y = 0; y < height; ++y)
                    for (int64_t i = first; i < last; ++i)
                        values[size_t(y * width + left + i)] = columns[size_t(i * height + y)];
            });
    }
};

int log2_at_least(int size) { return std::bit_width(unsigned(size - 1)); }

// White noise divided by its frequency (amplitude ∝ 1/f: Field 1987), nothing from `end` cycles per sample on; made on
// the next powers of two and cropped: sizes that are powers of two repeat without a seam. 1/f is real and even, so the
// field stays real.
Field one_over_f(int width, int height, uint64_t seed, double end) {
    Field field{log2_at_least(width), log2_at_least(height)};
    for (size_t i = 0; i < field.values.size(); ++i) field.values[i] = random_unit(seed, i) - 0.5;
    field.transform();
    parallel_ranges(field.height, std::max<int64_t>(1, 16384 / field.width), [&](int64_t first, int64_t last) {
        for (int64_t i = first * field.width; i < last * field.width; ++i) {
            const int64_t x = i % field.width, y = i / field.width;
            const double fx = double(std::min(x, field.width - x)) / double(field.width);
            const double fy = double(std::min(y, field.height - y)) / double(field.height);
            const double f = std::sqrt(fx * fx + fy * fy);
            field.values[size_t(i)] *= f > 0 && f < end ? 1 / f : 0.0;
        }
    });
    field.transform();  // forward again instead of back: that mirrors the noise, which does not matter
    return field;
}

}  // namespace

Image make_random(const PicturePart& part) {
    const int width = part.width;
    return painted_gray<uint8_t>(part, [=](int x, int y) {
        // A seed whose first sixteen numbers, the default image, spread over the whole range.
        return double(random_bits(1756, uint64_t(y) * uint64_t(width) + uint64_t(x)) >> 56) / 255.0;
    });
}

Image make_random_binary(const PicturePart& part) {
    const int width = part.width;
    return painted_gray<uint8_t>(
        part, [=](int x, int y) { return double(random_bits(2, uint64_t(y) * uint64_t(width) + uint64_t(x)) >> 63); });
}

Image make_noise(int width, int height) {
    const Field field = one_over_f(width, height, 0x1f, 1);
    Image image(width, height, 1, SampleType::u16);

    const auto value_at = [&](int x, int y) { return field.values[size_t(y * field.width + x)].real(); };
    const double count = double(width) * height;
    double mean = 0, variance = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) mean += value_at(x, y) / count;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) variance += (value_at(x, y) - mean) * (value_at(x, y) - mean) / count;
    const double scale = variance > 0 ? noise_deviation / std::sqrt(variance) : 0.0;
    for (int y = 0; y < height; ++y) {
        uint16_t* row = image.row_as<uint16_t>(y);
        for (int x = 0; x < width; ++x) row[x] = stored<uint16_t>(noise_mean + scale * (value_at(x, y) - mean));
    }
    return image;
}

// From black to white. The spectrum ends at 0.435 cycles per sample, as behind a lens: higher frequencies, up to ½,
// survive rotation with no method at all, and would hide the differences between methods.
Image make_natural(int width, int height) {
    const Field field = one_over_f(width, height, 0x2a, 0.435);
    const auto value_at = [&](int x, int y) { return field.values[size_t(y * field.width + x)].real(); };
    double low = value_at(0, 0), high = low;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) low = std::min(low, value_at(x, y)), high = std::max(high, value_at(x, y));
    Image image(width, height, 1, SampleType::u16);
    for (int y = 0; y < height; ++y) {
        uint16_t* row = image.row_as<uint16_t>(y);
        for (int x = 0; x < width; ++x)
            row[x] = stored<uint16_t>(high > low ? (value_at(x, y) - low) / (high - low) : noise_mean);
    }
    return image;
}

// Discs that hide one another: edges and flat parts at every scale, with the statistics of natural images.
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
