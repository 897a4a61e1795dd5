// The functions that test images sample: values between samples against the formulas, written out here.

#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "app/files/test_images/picture_function.h"
#include "tests/files/test_images/made.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
