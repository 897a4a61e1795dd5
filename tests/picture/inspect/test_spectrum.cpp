// Spectra against their definition, against NumPy, and on pictures whose frequencies are known.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

#include "app/picture/inspect/spectrum.h"
#include "gpu/core/tile_source.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr double tau = 2 * std::numbers::pi;

struct Values {
    int width, height;
    std::vector<float> of;

    Values(int w, int h, const std::function<double(int, int)>& value) : width(w), height(h) {
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) of.push_back(float(value(x, y)));
    }
    Spectrum spectrum(SpectrumWindow window = SpectrumWindow::none, double pitch = 1) const {
        return spectrum_of(of, width, height, window, pitch);
    }
    double mean_square() const {
        double sum = 0;
        for (const float v : of) sum += double(v) * double(v);
        return sum / double(of.size());
    }
    double mean() const {
        double sum = 0;
        for (const float v : of) sum += double(v);
        return sum / double(of.size());
    }
};

Values random_values(int width, int height, uint64_t seed) {
    Random random(seed);
    return {width, height, [&](int, int) { return random.between(-0.5, 1.5); }};
}

double hann(int n, int length) {
    const double s = std::sin(std::numbers::pi * n / length);
    return length == 1 ? 1 : s * s;
}

// The power at the frequency kx / width, ky / height by the sum itself.
double direct_power(const Values& v, bool windowed, int kx, int ky) {
    const double mean = v.mean();
    std::complex<double> sum = 0;
    double squares = 0;
    for (int y = 0; y < v.height; ++y)
        for (int x = 0; x < v.width; ++x) {
            const double weight = windowed ? hann(x, v.width) * hann(y, v.height) : 1;
            const double value = double(v.of[size_t(y) * size_t(v.width) + size_t(x)]) - mean;
            sum += weight * value * std::polar(1.0, -tau * (double(kx) * x / v.width + double(ky) * y / v.height));
            squares += weight * weight;
        }
    const double power = std::norm(sum) / (double(v.of.size()) * squares);
    return kx == 0 && ky == 0 ? power + mean * mean : power;
}

double sum_of(const std::vector<float>& power) {
    double sum = 0;
    for (const float p : power) sum += double(p);
    return sum;
}

TEST(Spectrum, IsTheSumItIsDefinedBy) {
    // Even and odd lengths, a single row and column, and lengths that are transformed as convolutions.
    for (const auto& [width, height] : {std::pair{8, 6}, {7, 5}, {12, 1}, {1, 9}, {2, 2}, {1, 1}, {29, 31}, {16, 37}})
        for (const SpectrumWindow window : {SpectrumWindow::none, SpectrumWindow::hann}) {
            const Values v = random_values(width, height, uint64_t(100 * width + height));
            const Spectrum s = v.spectrum(window);
            ASSERT_EQ(s.power.size(), v.of.size());
            const double most = double(*std::max_element(s.power.begin(), s.power.end()));
            for (int row = 0; row < height; ++row)
                for (int column = 0; column < width; ++column) {
                    const int kx = int(std::lround(s.x(column) * width)), ky = int(std::lround(s.y(row) * height));
                    EXPECT_NEAR(s.at(column, row), direct_power(v, window == SpectrumWindow::hann, kx, ky), 1e-6 * most)
                        << width << "×" << height << " at " << kx << ", " << ky;
                }
        }
}

// numpy.abs(numpy.fft.fftshift(numpy.fft.fft2(v)))**2 / v.size**2 by NumPy 1.24.2, and the same of (v - v.mean()) times
// a periodic Hann window w, divided by v.size * sum(w**2), with the mean's square added in the middle.
TEST(Spectrum, AgreesWithNumPy) {
    const Values v(6, 5, [](int x, int y) { return double(float((7 * x + 3 * y) % 11) / 10); });
    constexpr std::array<double, 30> plain = {
        1.344444328e-03, 3.377001254e-04, 1.344444644e-03, 1.284142154e-04, 1.344444450e-03, 2.014634621e-02,
        1.344444267e-03, 1.114545848e-03, 1.344444509e-03, 2.116030231e-03, 1.344444463e-03, 1.335696262e-02,
        4.000000219e-04, 3.099999849e-03, 1.233333325e-03, 2.304000023e-01, 1.233333325e-03, 3.099999849e-03,
        1.344444267e-03, 1.335696262e-02, 1.344444463e-03, 2.116030231e-03, 1.344444509e-03, 1.114545848e-03,
        1.344444328e-03, 2.014634621e-02, 1.344444450e-03, 1.284142154e-04, 1.344444644e-03, 3.377001254e-04};
    constexpr std::array<double, 30> windowed = {
        3.449272225e-03, 1.352456882e-03, 3.020649070e-04, 1.991367015e-05, 4.178021272e-03, 1.727875815e-02,
        2.811332069e-03, 6.686186297e-06, 4.801321428e-04, 7.474600765e-04, 2.318554101e-03, 1.126965130e-02,
        1.089732764e-04, 1.942487741e-04, 3.635410914e-04, 2.304790147e-01, 3.635410914e-04, 1.942487741e-04,
        2.811332069e-03, 1.126965130e-02, 2.318554101e-03, 7.474600765e-04, 4.801321428e-04, 6.686186297e-06,
        3.449272225e-03, 1.727875815e-02, 4.178021272e-03, 1.991367015e-05, 3.020649070e-04, 1.352456882e-03};
    const Spectrum a = v.spectrum(), b = v.spectrum(SpectrumWindow::hann);
    for (size_t i = 0; i < plain.size(); ++i) {
        EXPECT_NEAR(double(a.power[i]), plain[i], 1e-6 * 0.2304) << i;
        EXPECT_NEAR(double(b.power[i]), windowed[i], 1e-6 * 0.2304) << i;
    }
}

TEST(Spectrum, PowersSumToTheMeanSquare) {
    for (const auto& [width, height] : {std::pair{64, 48}, {45, 100}, {97, 31}}) {
        const Values v = random_values(width, height, 7);
        EXPECT_NEAR(sum_of(v.spectrum().power) / v.mean_square(), 1, 1e-6);
        // Windowed: the deviations, weighted by the window's square, and the mean.
        const double mean = v.mean();
        double sum = 0, squares = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const double w = std::pow(hann(x, width) * hann(y, height), 2);
                sum += w * std::pow(double(v.of[size_t(y) * size_t(width) + size_t(x)]) - mean, 2);
                squares += w;
            }
        EXPECT_NEAR(sum_of(v.spectrum(SpectrumWindow::hann).power) / (sum / squares + mean * mean), 1, 1e-6);
    }
}

TEST(Spectrum, OfAWaveIsAPairOfPoints) {
    const Values v(64, 48,
                   [](int x, int y) { return 0.5 + 0.25 * std::cos(tau * (5 * x / 64.0 - 12 * y / 48.0) + 1); });
    const Spectrum s = v.spectrum();
    EXPECT_NEAR(std::abs(s.x(s.strongest.first)), 5 / 64.0, 1e-12);
    EXPECT_NEAR(s.y(s.strongest.second) * (s.x(s.strongest.first) > 0 ? 1 : -1), -0.25, 1e-12);
    EXPECT_NEAR(s.largest(), 0.25 * 0.25 / 4, 1e-8);
    EXPECT_NEAR(power_at(s, 0, 0, true), 0.25, 1e-7);
    EXPECT_NEAR(power_at(s, 5 / 64.0, -0.25, true), s.largest(), 1e-9);
    EXPECT_NEAR(power_at(s, -5 / 64.0, 0.25, true), s.largest(), 1e-9);
    EXPECT_LT(power_at(s, 5 / 64.0, 0.25, true), 1e-12);
    EXPECT_NEAR(power_at(s, 1 + 5 / 64.0, 0.75, true), s.largest(), 1e-9) << "a copy";
    EXPECT_EQ(power_at(s, 1 + 5 / 64.0, 0.75, false), 0);
    // Pixels a quarter of a sample apart: frequencies four times as high, in cycles per sample.
    const Spectrum fine = v.spectrum(SpectrumWindow::none, 0.25);
    EXPECT_EQ(fine.nyquist(), 2);
    EXPECT_NEAR(std::abs(fine.x(fine.strongest.first)), 20 / 64.0, 1e-12);
}

// The mean of a picture is in one point, windowed or not: it does not hide low frequencies.
TEST(Spectrum, OfAConstantIsOnePoint) {
    const Spectrum s = Values(40, 30, [](int, int) { return 0.75; }).spectrum(SpectrumWindow::hann);
    EXPECT_NEAR(power_at(s, 0, 0, true), 0.5625, 1e-7);
    EXPECT_NEAR(sum_of(s.power), 0.5625, 1e-7);
    EXPECT_EQ(s.largest(), 1);
}

TEST(Spectrum, OfARingHasItsRadius) {
    // Waves of the same frequency, 1/4 cycle per sample, in all directions that are whole periods.
    constexpr std::array<std::pair<int, int>, 6> directions = {
        {{15, 20}, {20, -15}, {25, 0}, {0, 25}, {7, -24}, {24, 7}}};
    const Values v(100, 100, [&](int x, int y) {
        double sum = 0;
        for (const auto& [kx, ky] : directions) sum += std::cos(tau * (kx * x + ky * y) / 100.0);
        return sum;
    });
    const Spectrum s = v.spectrum();
    EXPECT_DOUBLE_EQ(s.radial_step, 0.01);
    ASSERT_EQ(s.radial.size(), 72u) << "up to the corner, 0.707";
    int64_t in_ring = 0;
    for (int row = 0; row < 100; ++row)
        for (int column = 0; column < 100; ++column)
            in_ring += std::lround(std::hypot(column - 50, row - 50)) == 25 ? 1 : 0;
    for (size_t k = 0; k < s.radial.size(); ++k)
        EXPECT_NEAR(s.radial[k], k == 25 ? 12 * 0.25 / double(in_ring) : 0, 1e-7) << k;
}

// The radial profile of pictures that are not square is by frequency, not by bins.
TEST(Spectrum, TheRadialProfileIsTheSameAlongBothAxes) {
    for (const bool across : {true, false}) {
        const Values v(96, 40, [&](int x, int y) { return std::cos(tau * (across ? x : y) / 8.0); });
        const Spectrum s = v.spectrum();
        size_t most = 1;
        for (size_t k = 1; k < s.radial.size(); ++k)
            if (s.radial[k] > s.radial[most]) most = k;
        EXPECT_NEAR(double(most) * s.radial_step, 0.125, 1e-9) << across;
    }
}

// A zone plate's frequency rises in proportion to the distance from its centre.
TEST(Spectrum, OfAPartOfAZonePlateIsAboutItsFrequency) {
    constexpr double n = 1024;
    for (const auto& [fx, fy] : {std::pair{0.25, 0.125}, {0.125, -0.375}, {0.4, 0.0}}) {
        const Values v(64, 64, [&, fx = fx, fy = fy](int x, int y) {
            const double px = x - 31.5 + fx * n, py = y - 31.5 + fy * n;
            return 0.5 + 0.5 * std::cos(std::numbers::pi * (px * px + py * py) / n);
        });
        const Spectrum s = v.spectrum(SpectrumWindow::hann);
        double sum = 0, x = 0, y = 0;
        for (int row = 0; row < 64; ++row)
            for (int column = 33; column < 64; ++column) {  // the half without the mirrored ones
                sum += s.at(column, row);
                x += s.at(column, row) * s.x(column);
                y += s.at(column, row) * s.y(row);
            }
        EXPECT_NEAR(x / sum, fx, 0.004);
        EXPECT_NEAR(y / sum, fy, 0.004);
        EXPECT_NEAR(std::abs(s.x(s.strongest.first)), fx, 0.04);
        EXPECT_NEAR(std::abs(s.y(s.strongest.second)), std::abs(fy), 0.04);
    }
}

TEST(Spectrum, WhatIsNotFiniteCountsAsZero) {
    Values v = random_values(12, 10, 9), zeros = v;
    v.of[17] = std::numeric_limits<float>::quiet_NaN();
    v.of[40] = -std::numeric_limits<float>::infinity();
    zeros.of[17] = zeros.of[40] = 0;
    const Spectrum s = v.spectrum(SpectrumWindow::hann), expected = zeros.spectrum(SpectrumWindow::hann);
    EXPECT_EQ(s.not_finite, 2);
    EXPECT_EQ(expected.not_finite, 0);
    EXPECT_EQ(s.power, expected.power);
}

// What is transformed.

TEST(SpectrumPart, ChannelsAreReadAsMethodsReadThem) {
    const auto image = std::make_shared<const Image>(noise(70, 50, 4, SampleType::u8, 12, Alpha::straight));
    const Image large(std::make_shared<ImageTiles>(image, 32));
    const SampleBox box{5, 7, 60, 40};
    for (const int channel : {-1, 0, 2, 3}) {
        const std::vector<float> values = channel_values(*image, box, channel);
        ASSERT_EQ(values.size(), 56u * 34u);
        EXPECT_EQ(channel_values(large, box, channel), values);
        for (const auto& [x, y] : {std::pair{5, 7}, {60, 40}, {33, 12}}) {
            const auto v = [&, x = x, y = y](int c) { return double(image->value(x, y, c)); };
            const double colour = channel < 0 ? 0.2126 * v(0) + 0.7152 * v(1) + 0.0722 * v(2) : v(channel);
            EXPECT_NEAR(double(values[size_t(y - 7) * 56 + size_t(x - 5)]), channel == 3 ? v(3) : colour * v(3), 1e-6);
        }
    }
    const Image grey = noise(9, 8, 1, SampleType::f32, 13);
    EXPECT_EQ(channel_values(grey, {0, 0, 8, 7}, 2), channel_values(grey, {0, 0, 8, 7}, -1)) << "a channel it has not";
}

TEST(SpectrumPart, IsInTheMiddleAndOfAQuickLength) {
    const auto sizes = [](const SampleBox& b) { return std::array{b.x0, b.x1 - b.x0 + 1, b.y0, b.y1 - b.y0 + 1}; };
    EXPECT_EQ(sizes(middle_part({10, 20, 622, 420}, {1024, 1024}, true)), (std::array{10, 613, 20, 401}));
    EXPECT_EQ(sizes(middle_part({10, 20, 622, 420}, {1024, 1024}, false)), (std::array{16, 600, 20, 400}));
    EXPECT_EQ(sizes(middle_part({0, 0, 4095, 99}, {1024, 1024}, true)), (std::array{1536, 1024, 0, 100}));
    EXPECT_EQ(sizes(middle_part({0, 0, 99, 0}, {17, 17}, true)), (std::array{42, 16, 0, 1}));
    EXPECT_TRUE(middle_part({0, 0, -1, -1}, {1024, 1024}, true).empty());
}

// The picture of a spectrum.

std::array<int, 3> pixel(const Image& picture, int x, int y) {
    const uint8_t* const at = picture.row_as<uint8_t>(y) + 3 * x;
    return {at[0], at[1], at[2]};
}

int brightness(const Image& picture, int x, int y) {
    const auto [r, g, b] = pixel(picture, x, y);
    return r + g + b;
}

TEST(SpectrumPicture, NoFrequencyIsLostHoweverSmallItIs) {
    const Spectrum s =
        Values(480, 480, [](int x, int y) { return std::cos(tau * (100 * x + 37 * y) / 480); }).spectrum();
    for (const int side : {64, 100, 480, 1000}) {
        const Image picture = spectrum_picture(s, 0.5, side, s.largest(), true);
        std::vector<std::pair<int, int>> bright;
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                if (brightness(picture, x, y) > 600) bright.emplace_back(x, y);
        ASSERT_FALSE(bright.empty()) << side;
        for (const auto& [x, y] : bright) {  // each near one of the two
            const double fx = (x + 0.5) / side - 0.5, fy = (y + 0.5) / side - 0.5, sign = fx > 0 ? 1 : -1;
            EXPECT_NEAR(fx, sign * 100 / 480, 1.0 / side) << side;
            EXPECT_NEAR(fy, sign * 37 / 480, 1.0 / side) << side;
        }
        EXPECT_TRUE(std::any_of(bright.begin(), bright.end(), [&](const auto& at) { return at.first < side / 2; }));
        EXPECT_TRUE(std::any_of(bright.begin(), bright.end(), [&](const auto& at) { return at.first > side / 2; }));
    }
}

TEST(SpectrumPicture, BeyondNyquistAreDarkCopiesOrNothing) {
    const Spectrum s = Values(64, 64, [](int x, int) { return std::cos(tau * x / 4.0); }).spectrum();
    constexpr int side = 256;  // of frequencies from −1 to 1
    const int own = side / 2 + side / 8, copy = own - side / 2, middle = side / 2;
    const Image repeated = spectrum_picture(s, 1, side, s.largest(), true),
                alone = spectrum_picture(s, 1, side, s.largest(), false);
    EXPECT_EQ(pixel(repeated, own, middle), pixel(alone, own, middle));
    EXPECT_GT(brightness(alone, own, middle), 600);
    EXPECT_GT(brightness(repeated, copy, middle), 200) << "¼ − 1 cycles per sample";
    EXPECT_LT(brightness(repeated, copy, middle), brightness(alone, own, middle) / 2 + 3);
    for (const auto& [x, y] : {std::pair{copy, middle}, {own, 3}, {side - 1, side - 1}, {0, 0}})
        EXPECT_EQ(pixel(alone, x, y), (std::array{0x1c, 0x1e, 0x21}));
}

// Colours and plot count from the strongest frequency of the samples down.
TEST(SpectrumPicture, TheRadialPlotCountsFromTheStrongestFrequency) {
    SpectrumReport report;
    const auto spectrum = [](double amplitude, double pitch) {
        const Values v(50, 1, [&](int x, int) { return 3 + amplitude * std::cos(tau * x / 5.0); });
        return std::make_shared<const Spectrum>(v.spectrum(SpectrumWindow::none, pitch));
    };
    report.of.push_back({.spectrum = spectrum(1, 1)});
    report.of.push_back({.pane = 0, .spectrum = spectrum(0.1, 0.25)});
    EXPECT_EQ(spectrum_reach(report, 0), 1);
    EXPECT_EQ(spectrum_reach(report, 2), 2);
    const Plot plot = radial_plot(report, 0, 1);
    ASSERT_EQ(plot.series.size(), 2u);
    for (size_t i = 0; i < 2; ++i) {
        const Series& series = plot.series[i];
        const auto most = size_t(std::max_element(series.y.begin(), series.y.end()) - series.y.begin());
        EXPECT_NEAR(series.x[most], i == 0 ? 0.2 : 0.8, 1e-9);
        EXPECT_NEAR(series.y[most], i == 0 ? 0 : -20, 1e-4);
    }
    ASSERT_EQ(plot.guides.size(), 1u);
    EXPECT_EQ(plot.guides[0].at, 0.5);
    report.of.pop_back();
    EXPECT_EQ(spectrum_reach(report, 0), 0.5);
}

}  // namespace
}  // namespace texelscope::test
