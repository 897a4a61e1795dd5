// Test images: the functions that are sampled; noise, star and fractal.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "app/files/test_images/generators.h"
#include "app/files/test_images/test_images.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

// The functions that test images sample: values between samples against the formulas, written out here.

constexpr double pi = std::numbers::pi;
constexpr int drawn_width = 61, drawn_height = 40;
constexpr double cx = 30, cy = 19.5;  // the image's centre

std::unique_ptr<const PictureFunction> function_of(std::string_view id) {
    return find_test_image(id)->function(drawn_width, drawn_height);
}

// Positions off the samples' grid, also beyond the image.
std::vector<Point> positions() {
    std::vector<Point> points;
    for (int k = 0; k < 400; ++k)
        points.push_back({std::fmod(k * 0.61803398875, 1) * (drawn_width + 10) - 5,
                          std::fmod(k * 0.7548776662, 1) * (drawn_height + 10) - 5});
    return points;
}

void expect_formula(std::string_view id, const std::function<double(double x, double y)>& formula,
                    double tolerance = 1e-12) {
    const auto function = function_of(id);
    for (const Point& p : positions())
        ASSERT_NEAR(function->at(p)[0], formula(p.x, p.y), tolerance) << id << ' ' << p.x << ' ' << p.y;
}

TEST(PictureFunctions, AreTheirFormulasBetweenTheSamples) {
    const auto squares = [](double x, double y) { return (x - cx) * (x - cx) + (y - cy) * (y - cy); };
    const auto radius = [&](double x, double y) { return std::sqrt(squares(x, y)); };
    expect_formula("zone-plate",
                   [&](double x, double y) { return 0.5 + 0.5 * std::cos(pi * squares(x, y) / drawn_width); });
    expect_formula("zone-plate-corner",
                   [](double x, double y) { return 0.5 + 0.5 * std::cos(pi * (x * x + y * y) / (2 * drawn_width)); });
    expect_formula("complex-chirp", [&](double x, double y) { return std::cos(pi * squares(x, y) / drawn_width); });
    expect_formula("waves", [](double x, double y) {
        return 0.5 + (std::cos(2 * pi * (x / 16 + y / 32)) + std::cos(2 * pi * (y / 8 - x / 16)) +
                      std::cos(2 * pi * (3 * x + y) / 16)) /
                         6;
    });
    expect_formula(
        "rings",
        [&](double x, double y) {
            const double distance = std::abs(std::remainder(radius(x, y) - 4, 8));
            return distance < 0.25 ? 1 : distance > 1.25 ? 0 : 1.25 - distance;
        },
        1e-9);
    expect_formula("ramp", [](double x, double) { return x / 60; });
    expect_formula("parabola", [&](double x, double y) { return squares(x, y) / 2048; });
    expect_formula("constant", [](double, double) { return 128 / 255.0; });
    expect_formula("step", [](double x, double) { return (x < 29.5 ? 64 : 192) / 255.0; });
    expect_formula("checkerboard", [](double x, double y) {
        return double(int(std::floor((x + 0.5) / 8) + std::floor((y + 0.5) / 8) + 100) % 2);
    });
    expect_formula(
        "siemens-star",
        [&](double x, double y) {
            const double r = radius(x, y), t = std::clamp((r - 36 / pi) / (0.3 * 36 / pi), 0.0, 1.0);
            const double contrast = std::clamp(0.48 * drawn_height + 0.5 - r, 0.0, 1.0) * t * t * (3 - 2 * t);
            return 0.5 + contrast * std::clamp(r * std::cos(36 * std::atan2(y - cy, x - cx)) / 36, -0.5, 0.5);
        },
        1e-9);
    // The mean over a square of one sample, counted.
    expect_formula(
        "slanted-edge",
        [](double x, double y) {
            constexpr int n = 200;
            int covered = 0;
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i)
                    covered += (x + (i + 0.5) / n - 0.5 - cx) * std::cos(pi / 36) +
                                   (y + (j + 0.5) / n - 0.5 - cy) * std::sin(pi / 36) >
                               0;
            return 0.2 + 0.6 * covered / double(n * n);
        },
        2e-3);
}

// Upright gratings and the sweep of a chart of 512 × 512; bands are 128 rows, gratings 64 columns.
TEST(PictureFunctions, TheFrequencyChartHasItsPeriods) {
    const auto chart = find_test_image("frequency-chart")->function(512, 512);
    for (int k = 0; k < 8; ++k) {
        const double period = std::array{32, 16, 12, 8, 6, 4, 3, 2}[size_t(k)], x = 64 * k + 30.3;
        EXPECT_NEAR(chart->at({x, 200})[0], 0.5 + 0.5 * std::cos(2 * pi * 30.3 / period), 1e-12) << period;
        EXPECT_NEAR(chart->at({x, 300.7})[0], 0.5 + 0.5 * std::cos(2 * pi * 44.7 / period), 1e-12) << period;
        EXPECT_NEAR(chart->at({x, 400.7})[0], 0.5 + 0.5 * std::cos(2 * pi * (30.3 + 16.7) / period), 1e-12) << period;
        EXPECT_NEAR(chart->detail({x, 300}).waves[0].y, 1 / period, 1e-12);
    }
    for (const double x : {0.0, 100.0, 511.0})
        EXPECT_NEAR(chart->detail({x, 50}).waves[0].x, std::pow(32, x / 512) / 64, 1e-12);
    EXPECT_EQ(chart->detail({64 + 5, 128 + 5}).edge_distance, 0) << "on a number";
}

// Each sample is the function there, rounded to the image's type.
TEST(PictureFunctions, AreWhatTheImagesSample) {
    for (const TestImage& entry : test_images()) {
        if (!entry.function) continue;
        const auto function = entry.function(drawn_width, drawn_height);
        const Image image = made(entry.id, drawn_width, drawn_height);
        const double rounding = entry.type == SampleType::u8    ? 0.5 / 255
                                : entry.type == SampleType::u16 ? 0.5 / 65535
                                                                : 6e-8;
        for (int y = 0; y < drawn_height; ++y)
            for (int x = 0; x < drawn_width; ++x) {
                const auto value = function->at({double(x), double(y)});
                if (entry.id == "alpha" && image.value(x, y, 3) == 0) continue;  // hides loud colours
                for (int c = 0; c < entry.channels; ++c)
                    ASSERT_NEAR(double(image.value(x, y, c)), value[size_t(c)], rounding + 3e-8)
                        << entry.id << ' ' << x << ' ' << y;
            }
    }
}

// The change of the phase per sample, by differences: of pictures that are one wave everywhere.
TEST(PictureFunctions, KnowTheirLocalFrequency) {
    const auto chirp = function_of("complex-chirp");
    for (const Point& p : positions()) {
        const auto turns = [&](Point q) {
            const auto v = chirp->at(q);
            return std::atan2(v[1], v[0]) / (2 * pi);
        };
        constexpr double h = 1e-4;
        const Point wave = chirp->detail(p).waves[0];
        EXPECT_NEAR(std::remainder(turns({p.x + h, p.y}) - turns({p.x - h, p.y}), 1) / (2 * h), wave.x, 1e-6);
        EXPECT_NEAR(std::remainder(turns({p.x, p.y + h}) - turns({p.x, p.y - h}), 1) / (2 * h), wave.y, 1e-6);
    }
    EXPECT_NEAR(function_of("zone-plate-corner")->detail({20, 7}).waves[0].x, 20 / (2.0 * drawn_width), 1e-12);
    const Point star = function_of("siemens-star")->detail({cx, cy + 15}).waves[0];
    EXPECT_NEAR(std::abs(star.x), 36 / (2 * pi * 15), 1e-12);
    EXPECT_NEAR(star.y, 0, 1e-12);
}

TEST(PictureFunctions, KnowTheirEdges) {
    EXPECT_NEAR(function_of("step")->detail({31, 5}).edge_distance, 1.5, 1e-12);
    EXPECT_EQ(function_of("step")->detail({31, 5}).edge_width, 0);
    EXPECT_NEAR(function_of("checkerboard")->detail({10, 4.25}).edge_distance, 2.5, 1e-12);
    EXPECT_NEAR(function_of("rings")->detail({cx + 6, cy}).edge_distance, 1.25, 1e-12);
    EXPECT_EQ(function_of("rings")->detail({cx + 6, cy}).edge_width, 1);
    EXPECT_NEAR(function_of("slanted-edge")->detail({cx, cy + 10}).edge_distance, 10 * std::sin(pi / 36), 1e-9);
    EXPECT_EQ(function_of("waves")->detail({1, 2}).edge_distance, std::numeric_limits<double>::infinity());
}

TEST(PictureFunctions, AreFoundByTheSourceOfAnImage) {
    EXPECT_EQ(formula_of("@zone-plate:300x200")->width, 300);
    EXPECT_EQ(formula_of("@parabola")->height, 256);
    for (const char* none : {"@basilica", "@text:64", "@noise", "photo.png", "zone-plate", "@nothing", ""})
        EXPECT_FALSE(formula_of(none)) << none;
}

// Test images that are noise, a star or a fractal: their spectra, distributions and formulas.

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

// The slope of log amplitude over log frequency, by least squares over rings [2, end).
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
