// What is found out about samples: when, of what, and which statistics.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/inspector.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/inspect/statistics.h"
#include "gpu/core/tile_source.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/patience.h"

namespace texelscope::test {
namespace {

// When the histogram is computed, and of what.

AppState inspected_state(const std::shared_ptr<const Image>& image) {
    AppState state;
    Document document;
    document.source = "@noise";
    document.image = image;
    state.scene.documents = {document};
    state.scene.current = 0;
    state.scene.panes = {{spec_of("bilinear")}};
    state.places.picture = {0, 0, 202, 100};
    state.ui.animate = false;
    return state;
}

TEST(Inspector, TheHistogramWaitsUntilThePictureRests) {
    AppState state = inspected_state(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 439)));
    SourceCache sources(make_cpu_backend());
    Inspector inspector;
    state.ui.dock = Dock::histogram;
    state.now = 1;
    inspector.fill(state, sources);
    EXPECT_EQ(state.report.findings.histogram.channels, 0);
    EXPECT_NEAR(patience_of(inspector, state), histogram_rest_seconds, 1e-9);
    state.now += histogram_rest_seconds + 0.01;
    inspector.fill(state, sources);
    EXPECT_EQ(state.report.findings.histogram.channels, 1);
    EXPECT_FALSE(state.report.findings.histogram.outdated);
    EXPECT_LT(patience_of(inspector, state), 0);
    state.scene.documents[0].view.translate_x += 1;
    inspector.fill(state, sources);
    EXPECT_TRUE(state.report.findings.histogram.outdated);
}

// Theory's first term: bilinear ω²/8, Catmull–Rom and splines by their constants; half of a wave's amplitude is no error of 2.
TEST(Curves, ErrorsOnWavesFallByTheOrder) {
    const struct {
        const char* spec;
        int order;
        double constant;
    } rows[] = {{"nearest", 1, 0.5},
                {"bilinear", 2, 0.125},
                {"catmull-rom", 3, 0.01604},
                {"bspline", 4, 1.0 / 384},
                {"bspline:prefilter=none", 2, 1.0 / 6}};
    for (const auto& row : rows) {
        const CurvesReport::Curve curve = order_curve(spec_of(row.spec), 101);  // 20 points an octave
        ASSERT_EQ(curve.x.size(), 101u);
        EXPECT_DOUBLE_EQ(curve.x.front(), 2);
        EXPECT_DOUBLE_EQ(curve.x.back(), 64);
        const double omega = 2 * std::numbers::pi / 64;
        EXPECT_NEAR(curve.y.back() / (row.constant * std::pow(omega, row.order)), 1, 0.03) << row.spec;
        EXPECT_NEAR(std::log2(curve.y[80] / curve.y[100]), row.order, 0.05) << row.spec;
    }
    const MethodCurves linear(spec_of("bilinear"));
    for (const double f : {0.05, 0.25, 0.4})
        EXPECT_NEAR(std::abs(linear.response(f, 0.5)), std::cos(std::numbers::pi * f), 1e-12) << f;
    EXPECT_TRUE(order_curve(spec_of("ewa-robidoux"), 10).x.empty());
}

TEST(Inspector, TheOrderDockHasACurveForEachMethodOnAnAxis) {
    AppState state = inspected_state(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 440)));
    state.scene.panes = {{spec_of("bilinear")}, {spec_of("ewa-robidoux")}, {spec_of("quintic")}};
    SourceCache sources(make_cpu_backend());
    Inspector inspector;
    state.ui.dock = Dock::order;
    inspector.fill(state, sources);
    const auto& methods = state.report.findings.curves.methods;
    ASSERT_EQ(methods.size(), 3u);
    EXPECT_FALSE(methods[0].order.x.empty());
    EXPECT_TRUE(methods[1].order.x.empty());
    EXPECT_TRUE(methods[0].weight.x.empty());
    const Plot plot = order_plot(state.report.findings.curves);
    EXPECT_TRUE(plot.x.logarithmic && plot.y.logarithmic);
    ASSERT_EQ(plot.series.size(), 3u);
    EXPECT_GT(plot.series[0].y.back(), 1e3 * plot.series[2].y.back());
    state.ui.dock = Dock::curves;
    inspector.fill(state, sources);
    EXPECT_FALSE(state.report.findings.curves.methods.at(0).weight.x.empty());
}

TEST(Inspector, TheHistogramIsOfTheSelectionUnlessOfAll) {
    AppState state = inspected_state(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 444)));
    SourceCache sources(make_cpu_backend());
    Inspector inspector;
    state.ui.dock = Dock::histogram;
    const auto pixels = [&] {
        inspector.fill(state, sources);
        state.now += histogram_rest_seconds + 0.01;
        inspector.fill(state, sources);
        return state.report.findings.histogram.pixels;
    };
    const int64_t all = pixels();
    state.scene.selection = Region{10, 10, 30, 20};
    const int64_t selected = pixels();
    EXPECT_TRUE(state.report.findings.histogram.of_selection);
    EXPECT_GT(selected, 0);
    EXPECT_LT(selected, all);
    state.ui.inspect.statistics_of_all = true;
    EXPECT_EQ(pixels(), all);
    EXPECT_FALSE(state.report.findings.histogram.of_selection);
}

// An image that is not in memory has the same profile of the same part, once its samples have come.
TEST(Inspector, TheProfileOfALargeImageIsThatOfTheImageInMemory) {
    for (const Alpha alpha : {Alpha::none, Alpha::straight}) {
        const auto image = std::make_shared<const Image>(noise(700, 600, 4, SampleType::u8, 445, alpha));
        const auto large = std::make_shared<const Image>(std::make_shared<ImageTiles>(image, 64));
        AppState state = inspected_state(image);
        state.ui.dock = Dock::profile;
        state.scene.panes = {
            {spec_of("bspline:address=mirror")}, {spec_of("lanczos3")}, {spec_of("quintic:address=wrap")}};
        SourceCache resident(make_cpu_backend()), sources(make_cpu_backend());
        sources.show_live([] {});
        using Along = ProfileLine::Along;
        for (const ProfileLine& line :
             {ProfileLine{Along::row, true, {0, 300}, {}}, ProfileLine{Along::column, true, {2, 0}, {}},
              ProfileLine{Along::row, true, {0, 599}, {}}, ProfileLine{Along::line, true, {320, 280}, {380, 310}}}) {
            for (const double x : {0.0, 340.0}) {
                state.scene.profile = line;
                state.scene.documents[0].view.translate_x = x;
                state.scene.documents[0].image = image;
                Inspector().fill(state, resident);
                const ProfileReport expected = state.report.findings.profile;
                state.scene.documents[0].image = large;
                Inspector inspector;
                ProfileReport& got = state.report.findings.profile;
                got = {};
                for (int ms = 0; ms < 20000 && got.curves.empty(); ++ms) {
                    inspector.fill(state, sources);
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                ASSERT_EQ(got.at, expected.at) << state.report.findings.no_profile;
                ASSERT_EQ(got.curves.size(), 3u);
                ASSERT_EQ(got.stored.size(), expected.stored.size());
                for (size_t k = 0; k < got.stored.size(); ++k) {
                    EXPECT_EQ(got.stored[k].at, expected.stored[k].at);
                    if (alpha == Alpha::straight && expected.stored[k].value[3] < 0.01f) continue;
                    for (size_t c = 0; c < 4; ++c)
                        EXPECT_NEAR(got.stored[k].value[c], expected.stored[k].value[c], 1e-6);
                }
                for (size_t pane = 0; pane < 3; ++pane)
                    for (size_t k = 0; k < got.at.size(); ++k) {
                        const auto &a = got.curves[pane].values[k], &b = expected.curves[pane].values[k];
                        // Divided by alpha, what is nearly transparent would differ by more.
                        const bool divided = alpha == Alpha::straight;
                        for (size_t c = 0; c < 4; ++c)
                            ASSERT_NEAR(a[c] * (divided && c < 3 ? a[3] : 1), b[c] * (divided && c < 3 ? b[3] : 1),
                                        5e-6)
                                << pane << " " << k;
                    }
            }
        }
    }
}

// Its box has 60 million samples, of which those near the line are read.
TEST(Inspector, TheProfileOfALongSlantedLineReadsOnlyWhatIsNearIt) {
    constexpr int64_t side = 9000;
    const auto tiles = std::make_shared<FormulaTiles>(
        int(side), int(side), [](int64_t x, int64_t y) { return float(x % 97) / 97 + float(y % 89); }, 64);
    const auto large = std::make_shared<const Image>(tiles);
    AppState state = inspected_state(large);
    state.ui.dock = Dock::profile;
    state.scene.panes = {{spec_of("nearest")}};
    state.scene.profile = ProfileLine{ProfileLine::Along::line, true, {100.25, 200.5}, {8500.25, 7300.5}};
    state.ui.inspect.profile = {0, 1e9};  // all of it
    SourceCache sources(make_cpu_backend());
    sources.show_live([] {});
    Inspector inspector;
    const ProfileReport& got = state.report.findings.profile;
    for (int ms = 0; ms < 20000 && got.curves.empty(); ++ms) {
        inspector.fill(state, sources);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(got.curves.size(), 1u) << state.report.findings.no_profile;
    EXPECT_TRUE(got.stored.empty());
    ASSERT_GT(got.at.size(), 1000u);
    int differ = 0;
    for (size_t k = 0; k < got.at.size(); ++k) {
        const Point p = got.point(got.at[k]);
        const int64_t x = std::llround(p.x), y = std::llround(p.y);
        const float expected = float(x % 97) / 97 + float(y % 89);
        differ += std::abs(got.curves[0].values[k][0] - expected) > 1e-5f;  // floats up to 90
    }
    EXPECT_LE(differ, 2) << "but for points halfway between two samples";
    EXPECT_LT(tiles->samples_read, size_t(side * side) + (size_t(20) << 20)) << "the first is for the overview";
}

// Statistics of samples against their definitions, on sorted lists of the values in float64.

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(),
                infinite = std::numeric_limits<float>::infinity();

// Float values; those of integer images in [0, 1].
Image random_image(SampleType type, int width, int height, int channels) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0.4f, 0.3f);
    Image floats(width, height, channels, SampleType::f32);
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * channels; ++i) floats.row_as<float>(y)[i] = normal(random);
    return converted(floats, type);
}

// As numpy.percentile computes it by default: linear between the neighbours in rank.
double percentile(std::vector<double> values, double p) {
    std::sort(values.begin(), values.end());
    const double place = p / 100 * double(values.size() - 1);
    const size_t k = std::min(size_t(place), values.size() - 1), next = std::min(k + 1, values.size() - 1);
    return values[k] + (place - double(k)) * (values[next] - values[k]);
}

class StatisticsOf : public testing::TestWithParam<SampleType> {};

TEST_P(StatisticsOf, AgreeWithTheirDefinitionsInAnyPart) {
    const Image image = random_image(GetParam(), 61, 47, 3);
    for (const SampleBox box :
         {SampleBox{0, 0, 60, 46}, SampleBox{5, 7, 5, 7}, SampleBox{10, 0, 11, 0}, SampleBox{3, 40, 59, 46}}) {
        const SampleStatistics all = *statistics_of(image, box);
        ASSERT_EQ(all.channels, 3);
        for (int c = 0; c < 3; ++c) {
            std::vector<double> values;
            for (int y = box.y0; y <= box.y1; ++y)
                for (int x = box.x0; x <= box.x1; ++x) values.push_back(double(image.value(x, y, c)));
            const double n = double(values.size()), mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
            double squares = 0;
            for (const double v : values) squares += (v - mean) * (v - mean);
            const ChannelStatistics& s = all.of[size_t(c)];
            // Image::value rounds n / 255 to float: 2⁻²⁵ of 1.
            EXPECT_EQ(s.finite, int64_t(values.size()));
            EXPECT_NEAR(s.mean, mean, 6e-8);
            EXPECT_NEAR(s.deviation, std::sqrt(squares / n), 6e-8);
            EXPECT_NEAR(s.least, *std::min_element(values.begin(), values.end()), 6e-8);
            EXPECT_NEAR(s.most, *std::max_element(values.begin(), values.end()), 6e-8);
            for (size_t i = 0; i < percentiles_shown.size(); ++i)
                EXPECT_NEAR(s.percentiles[i], percentile(values, percentiles_shown[i]), 6e-8) << percentiles_shown[i];
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, StatisticsOf,
                         testing::Values(SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32,
                                         SampleType::i8, SampleType::i64, SampleType::f64),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

TEST(Statistics, WhatIsNotFiniteIsCountedAside) {
    for (const SampleType type : {SampleType::f16, SampleType::f32}) {
        Image image(6, 1, 1, SampleType::f32);
        const float values[] = {not_a_number, -infinite, -2, 4, infinite, 1};
        std::copy(std::begin(values), std::end(values), image.row_as<float>(0));
        const ChannelStatistics s = statistics_of(converted(image, type), {0, 0, 5, 0})->of[0];
        EXPECT_EQ(s.finite, 3);
        EXPECT_EQ(s.not_a_number, 1);
        EXPECT_EQ(s.infinite, 2);
        EXPECT_EQ(s.mean, 1);
        EXPECT_EQ(s.least, -2);
        EXPECT_EQ(s.most, 4);
        EXPECT_EQ(s.percentiles[3], 1);  // the median
    }
}

TEST(Statistics, NothingFiniteGivesZeros) {
    Image image(2, 2, 1, SampleType::f32);
    std::fill_n(image.row_as<float>(0), 4, not_a_number);
    const ChannelStatistics s = statistics_of(image, {0, 0, 1, 1})->of[0];
    EXPECT_EQ(s.not_a_number, 4);
    EXPECT_EQ(s.finite, 0);
    EXPECT_EQ(s.mean, 0);
}

TEST(Statistics, ARegionHoldsTheSamplesWhoseCentresLieInIt) {
    const Image image(10, 8, 1, SampleType::u8);
    EXPECT_EQ(samples_in({}, image), (SampleBox{0, 0, 9, 7}));
    EXPECT_EQ(samples_in(Region{1.5, 2.0, 4.5, 3.9}, image), (SampleBox{2, 2, 4, 3}));
    EXPECT_EQ(samples_in(Region{4.5, 3.9, 1.5, 2.0}, image), (SampleBox{2, 2, 4, 3}));  // dragged to the upper left
    EXPECT_EQ(samples_in(Region{-5, -5, 50, 50}, image), (SampleBox{0, 0, 9, 7}));
    EXPECT_TRUE(samples_in(Region{2.1, 2.1, 2.9, 2.9}, image).empty());
    EXPECT_TRUE(samples_in(Region{20, 20, 30, 30}, image).empty());
    EXPECT_TRUE(samples_in(Region{-9, -9, -3, -3}, image).empty());
}

// Each piece is read once, whatever tiles it lies in: the same numbers as of the image in memory.
TEST_P(StatisticsOf, OfAnImageThatIsReadByRegionsAreTheSame) {
    const auto image = std::make_shared<const Image>(random_image(GetParam(), 610, 270, 2));
    const Image tiled(std::make_shared<ImageTiles>(image, 64));
    for (const SampleBox box : {SampleBox{0, 0, 609, 269}, SampleBox{63, 64, 64, 200}, SampleBox{100, 130, 500, 130}}) {
        const SampleStatistics expected = *statistics_of(*image, box), found = *statistics_of(tiled, box);
        EXPECT_EQ(found.box, box);
        ASSERT_EQ(found.channels, 2);
        for (size_t c = 0; c < 2; ++c) {
            EXPECT_EQ(found.of[c].finite, expected.of[c].finite);
            // Sums of floats are rounded in another order: 2⁻⁵³ for each of 164 700 at most.
            EXPECT_NEAR(found.of[c].mean, expected.of[c].mean, 2e-11);
            EXPECT_NEAR(found.of[c].deviation, expected.of[c].deviation, 2e-11);
            EXPECT_EQ(found.of[c].least, expected.of[c].least);
            EXPECT_EQ(found.of[c].most, expected.of[c].most);
            EXPECT_EQ(found.of[c].percentiles, expected.of[c].percentiles);
        }
    }
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(statistics_of(tiled, {0, 0, 609, 269}, source.get_token()));
}

// Floats of both signs and from the least denormal on; a second channel has nothing that is finite.
TEST(Statistics, PercentilesOfFloatsOfAllMagnitudesAreThoseOfTheSortedValues) {
    constexpr int width = 173, height = 91;
    std::mt19937 random(11);
    std::uniform_int_distribution<uint32_t> any;
    auto image = std::make_shared<Image>(width, height, 2, SampleType::f32);
    std::vector<double> values;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float v = std::bit_cast<float>(any(random));
            if (x % 7 == 0) v = 0.5f;  // more than one percentile is the same value
            image->row_as<float>(y)[2 * x] = v;
            image->row_as<float>(y)[2 * x + 1] = x % 2 ? not_a_number : infinite;
            if (std::isfinite(v)) values.push_back(double(v));
        }
    const Image tiled(std::make_shared<ImageTiles>(image, 32));
    for (const Image* const each : std::initializer_list<const Image*>{image.get(), &tiled}) {
        const SampleStatistics all = *statistics_of(*each, {0, 0, width - 1, height - 1});
        EXPECT_EQ(all.of[0].finite, int64_t(values.size()));
        EXPECT_EQ(all.of[1].not_a_number + all.of[1].infinite, width * height);
        for (size_t i = 0; i < percentiles_shown.size(); ++i) {
            const double expected = percentile(values, percentiles_shown[i]);
            EXPECT_NEAR(all.of[0].percentiles[i], expected, 1e-15 * std::abs(expected)) << percentiles_shown[i];
        }
    }
}

TEST(Statistics, StopWhenAsked) {
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(statistics_of(Image(4, 4, 1, SampleType::u8), {0, 0, 3, 3}, source.get_token()));
}

}  // namespace
}  // namespace texelscope::test
