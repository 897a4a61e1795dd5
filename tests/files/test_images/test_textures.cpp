// Test images that are noise, a star or a fractal: their spectra, distributions and formulas.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "app/files/test_images/raster.h"
#include "tests/files/test_images/made.h"

namespace texelscope::test {
namespace {

// Mean amplitude over rings of equal frequency, from a plain transform by definition.
std::vector<double> radial_amplitude(const Image& image) {
    const int n = image.width();
    const double mean = mean_of(image);
    std::vector<std::complex<double>> half(size_t(n * n)), root(static_cast<size_t>(n));
    for (int k = 0; k < n; ++k) root[size_t(k)] = std::polar(1.0, -two_pi * k / n);
    for (int y = 0; y < n; ++y)
        for (int k = 0; k < n; ++k)
            for (int x = 0; x < n; ++x)
                half[size_t(y * n + k)] += (double(image.value(x, y, 0)) - mean) * root[size_t(k * x % n)];
    std::vector<double> sum(size_t(n / 2)), count(size_t(n / 2));
    for (int k = 0; k < n; ++k)
        for (int l = 0; l < n; ++l) {
            std::complex<double> value;
            for (int y = 0; y < n; ++y) value += half[size_t(y * n + k)] * root[size_t(l * y % n)];
            const size_t ring = size_t(std::lround(std::hypot(std::min(k, n - k), std::min(l, n - l))));
            if (ring >= sum.size()) continue;
            sum[ring] += std::abs(value);
            count[ring] += 1;
        }
    for (size_t i = 0; i < sum.size(); ++i) sum[i] /= count[i];
    return sum;
}

// Of log amplitude over log frequency, by least squares over rings [2, end).
double spectral_slope(const std::vector<double>& amplitude, size_t end) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t ring = 2; ring < end; ++ring) {
        const double x = std::log(double(ring)), y = std::log(amplitude[ring]);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(TestTextures, NoiseFallsAsOneOverF) {
    EXPECT_NEAR(spectral_slope(radial_amplitude(made("noise", 128, 128)), 60), -1, 0.05);
}

TEST(TestTextures, NaturalFallsAsOneOverFUpToItsEnd) {
    const Image image = made("natural", 128, 128);
    const std::vector<double> amplitude = radial_amplitude(image);
    EXPECT_NEAR(spectral_slope(amplitude, 55), -1, 0.05);  // 0.435 · 128 = 55.7
    for (size_t ring = 57; ring < 64; ++ring) EXPECT_LT(amplitude[ring], 1e-3 * amplitude[54]) << ring;
    double low = 1, high = 0;
    for (int y = 0; y < 128; ++y)
        for (int x = 0; x < 128; ++x)
            low = std::min(low, double(image.value(x, y, 0))), high = std::max(high, double(image.value(x, y, 0)));
    EXPECT_EQ(low, 0);
    EXPECT_EQ(high, 1);
}

TEST(TestTextures, NoiseHasItsMeanAndDeviation) {
    for (const auto& [w, h] : {std::pair{128, 128}, {100, 37}, {500, 1}, {1, 333}}) {
        const Image image = made("noise", w, h);
        const double mean = mean_of(image);
        double variance = 0;
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) variance += std::pow(double(image.value(x, y, 0)) - mean, 2) / (double(w) * h);
        EXPECT_NEAR(mean, 0.5, 1e-3) << w << 'x' << h;
        EXPECT_NEAR(std::sqrt(variance), 0.15, 1e-3) << w << 'x' << h;
    }
    EXPECT_NEAR(mean_of(made("noise", 1, 1)), 0.5, 1e-4);
}

TEST(TestTextures, RandomIsUniformOrHalfWhite) {
    EXPECT_NEAR(mean_of(made("random", 256, 256)), 0.5, 0.005);
    const Image binary = made("random-binary", 256, 256);
    EXPECT_NEAR(mean_of(binary), 0.5, 0.01);
    for (int x = 0; x < 256; ++x) EXPECT_TRUE(binary.value(x, 9, 0) == 0 || binary.value(x, 9, 0) == 1);
}

TEST(TestTextures, StarIsWhiteOnTheAxisAndGreyInTheMiddle) {
    const Image image = made("siemens-star", 255, 255);
    EXPECT_EQ(image.value(127 + 100, 127, 0), 1.0f);
    EXPECT_EQ(image.value(127, 127, 0), 128.0f / 255);
    EXPECT_EQ(image.value(0, 0, 0), 128.0f / 255);
    int changes = 0;  // 72 edges round the star
    bool before = true;
    for (int i = 1; i <= 7200; ++i) {
        const double angle = two_pi * i / 7200;
        const int x = int(std::lround(127 + 110 * std::cos(angle))), y = int(std::lround(127 + 110 * std::sin(angle)));
        const float v = image.value(x, y, 0);
        if (v > 0.2f && v < 0.8f) continue;
        changes += (v > 0.5f) != before;
        before = v > 0.5f;
    }
    EXPECT_EQ(changes, 72);
}

// z² − 1: 0 and ±1 are inside, 2 and ±i outside, and z and −z have the same fate.
TEST(TestTextures, BasilicaIsTheJuliaSet) {
    for (const auto& size : {std::pair{256, 256}, {341, 180}, {97, 130}}) {
        const int w = size.first, h = size.second;
        const Image image = made("basilica", w, h);
        const auto at = [&](double re, double im) {
            const double step = std::max(3.4 / w, 1.85 / h);
            return std::pair{std::clamp(int(re / step + 0.5 * w), 0, w - 1),
                             std::clamp(int(0.5 * h - im / step), 0, h - 1)};
        };
        const auto warm = [&](double re, double im) {
            const auto [x, y] = at(re, im);
            return image.value(x, y, 0) > image.value(x, y, 2);
        };
        for (const double re : {0.03, -0.97, 0.97, 0.2, -0.3}) EXPECT_TRUE(warm(re, 0.02)) << re;
        for (const double im : {0.9, -0.9, 0.85}) EXPECT_FALSE(warm(0.05, im)) << im;
        EXPECT_FALSE(warm(0.6, 0.35));
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x)
                for (int c = 0; c < 3; ++c)
                    ASSERT_NEAR(double(image.value(x, y, c)), double(image.value(w - 1 - x, h - 1 - y, c)), 1.01 / 255);
    }
}

TEST(TestTextures, BasilicaUsesTheWholeRangeOfTones) {
    const Image image = made("basilica", 512, 512);
    std::vector<int> levels(256);
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x) ++levels[image.row_as<uint8_t>(y)[3 * x + 1]];
    int used = 0;
    for (const int count : levels) used += count > 10;
    EXPECT_GT(used, 180);
}

}  // namespace
}  // namespace texelscope::test
