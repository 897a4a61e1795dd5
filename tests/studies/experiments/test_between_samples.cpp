// Noise and blur between samples, and turns there and back, against closed forms and plain float64 sums.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <vector>

#include "app/files/test_images/test_images.h"
#include "app/studies/experiments/experiment.h"
#include "gpu/core/errors.h"
#include "tests/studies/experiments/run.h"

namespace texelscope::test {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int steps = 16;

using Weight = std::function<double(double)>;

double cubic_spline(double x) {
    const double d = std::abs(x);
    return d < 1 ? 2.0 / 3 - d * d + d * d * d / 2 : d < 2 ? std::pow(2 - d, 3) / 6 : 0;
}
double catmull_rom(double x) {
    const double d = std::abs(x);
    return d < 1 ? 1.5 * d * d * d - 2.5 * d * d + 1 : d < 2 ? -0.5 * (d * d * d - 5 * d * d + 8 * d - 4) : 0;
}

double squares(const Weight& weight, double t) {
    double sum = 0;
    for (int k = -4; k <= 5; ++k) sum += std::pow(weight(t - k), 2);
    return sum;
}

// Of the interpolating spline by Parseval's theorem: the mean over all frequencies of |Σ w(t − k) e^(iωk)|² over the square of
// the prefilter's denominator, (2 + cos ω)/3.
double squares_of_spline(double t) {
    constexpr int parts = 4096;
    double sum = 0;
    for (int n = 0; n < parts; ++n) {
        const double omega = 2 * pi * n / parts;
        std::complex<double> wave = 0;
        for (int k = -4; k <= 5; ++k) wave += cubic_spline(t - k) * std::polar(1.0, omega * k);
        sum += std::norm(wave) / std::pow((2 + std::cos(omega)) / 3, 2) / parts;
    }
    return sum;
}

// The columns of a table by fraction: found and expected of the m-th method.
struct Column {
    std::vector<double> found, expected;
};
Column column(const ResultTable& table, size_t m) {
    Column column;
    for (const auto& row : table.rows) {
        column.found.push_back(std::get<double>(row.at(1 + 2 * m)));
        column.expected.push_back(std::get<double>(row.at(2 + 2 * m)));
    }
    return column;
}

TEST(NoiseExperiment, TheVarianceIsTheSumOfTheSquaredWeights) {
    const ExperimentResult result =
        run_here("noise", {{"methods", "nearest; bilinear; catmull-rom; bspline; bspline:prefilter=none"}});
    const Weight one = [](double x) { return x >= -0.5 && x < 0.5 ? 1.0 : 0.0; };
    const std::function<double(double)> variance[] = {
        [&](double t) { return squares(one, t); }, [](double t) { return (1 - t) * (1 - t) + t * t; },
        [](double t) { return squares(catmull_rom, t); }, squares_of_spline,
        [](double t) { return squares(cubic_spline, t); }};
    for (size_t m = 0; m < std::size(variance); ++m) {
        const Column found = column(result.tables.at(1), m);
        ASSERT_EQ(found.found.size(), size_t(steps) + 1);
        for (size_t k = 0; k <= steps; ++k) {
            const double t = double(k) / steps;
            EXPECT_NEAR(found.expected[k], variance[m](t), 1e-9) << "method " << m << ", t = " << t;
            EXPECT_NEAR(found.found[k], variance[m](t), 0.03) << "method " << m << ", t = " << t;
        }
    }
    EXPECT_TRUE(result.all_agree());
}

// A rotation meets all fractions alike, on both axes: (∫ (1 − t)² + t² dt)² = 4/9 for bilinear.
TEST(NoiseExperiment, ARotationHasTheMeanOverAllFractionsOnBothAxes) {
    const ExperimentResult result = run_here("noise", {{"methods", "bilinear; bspline"}, {"angle", "17"}});
    const ResultTable& table = result.tables.at(0);
    EXPECT_NEAR(number_at(table, "Bilinear", 6), 4.0 / 9, 1e-4);
    EXPECT_NEAR(number_at(table, "Bilinear", 5), 4.0 / 9, 0.01);
    double mean = 0;
    for (int i = 0; i < 64; ++i) mean += squares_of_spline((i + 0.5) / 64) / 64;
    EXPECT_NEAR(number_at(table, "Cubic B-spline", 6), mean * mean, 1e-4);
    EXPECT_NEAR(number_at(table, "Cubic B-spline", 5), mean * mean, 0.015);
    EXPECT_TRUE(result.all_agree());
}

TEST(NoiseExperiment, NothingIsClaimedOfQuarterTurnsOrOfMethodsInThePlane) {
    const ExperimentResult result =
        run_here("noise", {{"methods", "bilinear; ewa-robidoux"}, {"angle", "90"}, {"size", "64"}});
    ASSERT_EQ(result.verdicts.size(), 3u);
    EXPECT_EQ(result.verdicts[0].outcome, Verdict::Outcome::agrees);
    EXPECT_EQ(result.verdicts[1].outcome, Verdict::Outcome::open);
    EXPECT_EQ(result.verdicts[2].outcome, Verdict::Outcome::open);
    EXPECT_NEAR(number_at(result.tables.at(0), "Bilinear", 5), 1, 1e-5);  // samples fall on samples
}

TEST(PhaseBlurExperiment, GainsAreThoseOfTheWeightsAtTheFraction) {
    const ExperimentResult result =
        run_here("phase-blur", {{"methods", "nearest; bilinear; catmull-rom; bspline; bspline:prefilter=none"}});
    const double omega = pi / 2;
    const auto gain = [&](const Weight& weight, double t) {
        std::complex<double> sum = 0;
        for (int k = -4; k <= 5; ++k) sum += weight(t - k) * std::polar(1.0, -omega * (t - k));
        return std::abs(sum);
    };
    const std::function<double(double)> expected[] = {
        [](double) { return 1.0; }, [&](double t) { return std::sqrt(1 - 2 * t * (1 - t) * (1 - std::cos(omega))); },
        [&](double t) { return gain(catmull_rom, t); },
        [&](double t) { return gain(cubic_spline, t) / ((2 + std::cos(omega)) / 3); },
        [&](double t) { return gain(cubic_spline, t); }};
    for (size_t m = 0; m < std::size(expected); ++m) {
        const Column found = column(result.tables.at(1), m);
        for (size_t k = 0; k <= steps; ++k) {
            const double t = double(k) / steps;
            EXPECT_NEAR(found.expected[k], expected[m](t), 1e-9) << "method " << m << ", t = " << t;
            EXPECT_NEAR(found.found[k], expected[m](t), 1e-5) << "method " << m << ", t = " << t;
        }
    }
    EXPECT_TRUE(result.all_agree());
    // Nearest loses nothing, and moves the wave by up to half a sample; a symmetric method half-way not at all.
    EXPECT_NEAR(number_at(result.tables.at(0), "Nearest neighbour", 6), 0.5, 1e-5);
    EXPECT_LT(number_at(result.tables.at(0), "Bilinear", 6), 0.1);
    EXPECT_NEAR(number_at(result.tables.at(0), "Bilinear", 5), 20 * std::log10(std::cos(pi / 4)), 1e-3);
}

TEST(PhaseBlurExperiment, HalfWayBilinearWeakensByTheCosine) {
    const ExperimentResult result = run_here("phase-blur", {{"methods", "bilinear"}, {"frequency", "0.1"}});
    const Plot& plot = result.plots.at(1);
    ASSERT_EQ(plot.series.size(), 1u);
    ASSERT_EQ(plot.series[0].x.size(), 15u);
    for (size_t n = 0; n < plot.series[0].x.size(); ++n)
        EXPECT_NEAR(plot.series[0].y[n], std::cos(pi * plot.series[0].x[n]), 1e-5) << plot.series[0].x[n];
}

// Bilinear in float64, mirrored at the edges: an image turned about its middle.
std::vector<double> turned(const std::vector<double>& image, int side, double degrees) {
    const double angle = degrees * pi / 180, c = std::cos(angle), s = std::sin(angle), middle = (side - 1) / 2.0;
    const auto at = [&](int x, int y) {
        const auto inside = [&](int i) {
            const int m = ((i % (2 * side)) + 2 * side) % (2 * side);
            return m < side ? m : 2 * side - 1 - m;
        };
        return image[size_t(inside(y) * side + inside(x))];
    };
    std::vector<double> result;
    for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
            const double x = middle + c * (i - middle) - s * (j - middle),
                         y = middle + s * (i - middle) + c * (j - middle);
            const int k = int(std::floor(x)), l = int(std::floor(y));
            const double t = x - k, u = y - l;
            result.push_back((1 - u) * ((1 - t) * at(k, l) + t * at(k + 1, l)) +
                             u * ((1 - t) * at(k, l + 1) + t * at(k + 1, l + 1)));
        }
    return result;
}

TEST(ThereAndBackExperiment, TheSnrIsThatOfPlainFloat64Rotations) {
    constexpr int side = 48;
    const ExperimentResult result =
        run_here("there-and-back",
                 {{"image", "@natural:48"}, {"turns", "3"}, {"angle", "35"}, {"methods", "bilinear; bspline"}});
    const Image image = make_test_image("@natural:48");
    std::vector<double> original;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) original.push_back(double(image.value(x, y, 0)));
    double mean = 0;
    for (const double v : original) mean += v / double(original.size());
    for (int n = 1; n <= 3; ++n) {
        std::vector<double> now = original;
        for (int k = 0; k < n; ++k) now = turned(now, side, 35);
        for (int k = 0; k < n; ++k) now = turned(now, side, -35);
        double signal = 0, noise = 0;
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                if (std::hypot(x - (side - 1) / 2.0, y - (side - 1) / 2.0) > 0.45 * side) continue;
                const size_t i = size_t(y * side + x);
                signal += std::pow(original[i] - mean, 2);
                noise += std::pow(now[i] - original[i], 2);
            }
        const auto& row = result.tables.at(0).rows.at(size_t(n - 1));
        EXPECT_EQ(std::get<double>(row[0]), n);
        EXPECT_NEAR(std::get<double>(row[1]), 10 * std::log10(signal / noise), 0.01) << n;
        EXPECT_GT(std::get<double>(row[2]), std::get<double>(row[1])) << n;
        EXPECT_EQ(result.plots.at(0).series.at(0).y.at(size_t(n - 1)), std::get<double>(row[1]));
    }
    ASSERT_EQ(result.verdicts.size(), 1u);
    EXPECT_EQ(result.verdicts[0].outcome, Verdict::Outcome::agrees);
    EXPECT_EQ(result.pictures.size(), 2u);
}

TEST(ThereAndBackExperiment, QuarterTurnsLoseNothing) {
    const ExperimentResult result = run_here(
        "there-and-back", {{"image", "@natural:32"}, {"turns", "2"}, {"angle", "90"}, {"methods", "bilinear"}});
    EXPECT_GT(std::get<double>(result.tables.at(0).rows.at(1).at(1)), 80);
    ASSERT_EQ(result.verdicts.size(), 1u);
    EXPECT_EQ(result.verdicts[0].outcome, Verdict::Outcome::open);
}

}  // namespace
}  // namespace texelscope::test
