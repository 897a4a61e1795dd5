// Histograms: every value in the right bin, and values in none are reported.

#include "app/picture/inspect/histogram.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "app/picture/inspect/pane_histogram.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/method/position.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

int64_t total(const std::vector<int64_t>& bins) { return std::accumulate(bins.begin(), bins.end(), int64_t(0)); }

TEST(Histogram, EachOfThe256LevelsOf8BitsHasItsOwnBin) {
    std::vector<float> values;
    for (int level = 0; level < 256; ++level)
        for (int n = 0; n <= level; ++n) values.push_back(float(level) / 255);
    const HistogramReport h = histogram_of(values, 1, true);
    ASSERT_EQ(h.bins[0].size(), 256u);
    for (int level = 0; level < 256; ++level) EXPECT_EQ(h.bins[0][size_t(level)], level + 1);
    EXPECT_EQ(h.pixels, 256 * 257 / 2);
}

TEST(Histogram, ChannelsAreCountedByThemselves) {
    const std::vector<float> values = {0, 1, 0, 0.5f, 1, 0.5f};
    const HistogramReport h = histogram_of(values, 2, true);
    EXPECT_EQ(h.pixels, 3);
    EXPECT_EQ(h.bins[0].front(), 2);
    EXPECT_EQ(h.bins[0].back(), 1);
    EXPECT_EQ(h.bins[1].back(), 1);
    EXPECT_EQ(total(h.bins[1]), 3);
}

TEST(Histogram, WhatIsNotFiniteIsCountedAside) {
    const std::vector<float> values = {nan, infinity, -infinity, -2, 3, 0.5f, nan};
    const HistogramReport h = histogram_of(values, 1, false);
    EXPECT_EQ(h.not_a_number, 2);
    EXPECT_EQ(h.infinite, 2);
    EXPECT_EQ(total(h.bins[0]), 3);
    EXPECT_EQ(h.least, -2);
    EXPECT_EQ(h.most, 3);
    EXPECT_EQ(h.bins[0].front(), 1);
    EXPECT_EQ(h.bins[0].back(), 1);
}

TEST(Histogram, OvershootWidensTheRange) {
    const std::vector<float> values = {-0.1f, 0.5f, 1.2f};
    const HistogramReport h = histogram_of(values, 1, true);
    EXPECT_NEAR(h.low, -0.1, 1e-7);
    EXPECT_NEAR(h.high, 1.2, 1e-7);
    EXPECT_EQ(total(h.bins[0]), 3);
}

TEST(Histogram, OneValueOrNoneHasARangeStill) {
    for (const std::vector<float>& values :
         {std::vector<float>(9, 7.25f), std::vector<float>(3, nan), std::vector<float>{}}) {
        const HistogramReport h = histogram_of(values, 1, false);
        EXPECT_GT(h.high, h.low);
        EXPECT_EQ(total(h.bins[0]), values.size() == 9 ? 9 : 0);
    }
}

TEST(Histogram, TransparentPixelsHaveNoColour) {
    constexpr float step = 1.0f / 255;
    const std::vector<float> values = {0.5f, 1, -40, 0, 900, 0.49f * step, -7, -0.1f, 0.25f, 0.51f * step};
    const HistogramReport h = histogram_of(values, 2, true, {}, LastChannel::alpha);
    EXPECT_EQ(h.pixels, 5);
    EXPECT_EQ(h.transparent, 3);
    EXPECT_EQ(total(h.bins[0]), 2);
    EXPECT_EQ(total(h.bins[1]), 5) << "their alpha counts";
    EXPECT_NEAR(h.least, -0.1, 1e-7) << "alpha overshoots, too";
    EXPECT_EQ(h.most, 1);
    EXPECT_EQ(h.beyond, 0);
}

TEST(Histogram, ColoursOfFaintPixelsDoNotStretchTheAxis) {
    const std::vector<float> values = {0.25f, 0.4f, 0.75f, 0.2f, 60, 0.01f, 0.5f, 0.01f, 1.1f, 0.21f, -60, 0.1f};
    const HistogramReport h = histogram_of(values, 2, false, {}, LastChannel::alpha);
    EXPECT_NEAR(h.low, 0.01, 1e-7) << "the least alpha";
    EXPECT_NEAR(h.high, 1.1, 1e-6);
    EXPECT_EQ(h.most, h.high);
    EXPECT_EQ(h.beyond, 2);
    EXPECT_EQ(total(h.bins[0]), 4) << "a faint pixel on the axis counts";
    EXPECT_EQ(h.transparent, 0);
    EXPECT_NEAR(histogram_of(values, 2, false).high, 60, 1e-6) << "two channels of plain data";
}

class PaneHistogram : public OnBackend {};

TEST_P(PaneHistogram, TheBackgroundAroundTheImageIsNotCounted) {
    const auto image = std::make_shared<const Image>(noise(10, 8, 3, SampleType::u8, 441));
    SourceImage source(backend_, *image);
    Rendition rendition{image, Light::stored, beyond_borders(spec_of("nearest"), 10, 8, 5)};
    EXPECT_EQ(pane_histogram(source, rendition).pixels, 20 * 18);
    rendition.request.outside = Outside::background;
    const HistogramReport h = pane_histogram(source, rendition);
    EXPECT_EQ(h.pixels, 10 * 8);
    for (int c = 0; c < 3; ++c) {
        std::vector<int64_t> expected(256, 0);
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 10; ++x) ++expected[size_t(std::lround(image->value(x, y, c) * 255))];
        EXPECT_EQ(h.bins[size_t(c)], expected);
    }
}

// A textured disc on nothing: around it, alpha goes through 0 where the colour does not.
TEST_P(PaneHistogram, OfAPictureWithTransparencyIsReadable) {
    const Image texture = noise(32, 32, 3, SampleType::u8, 442);
    const auto image = std::make_shared<Image>(32, 32, 4, SampleType::u8, Alpha::straight);
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
            uint8_t* pixel = image->row_as<uint8_t>(y) + 4 * x;
            std::copy_n(texture.row_as<uint8_t>(y) + 3 * x, 3, pixel);
            pixel[3] = std::hypot(x - 15.5, y - 15.5) < 9 ? 128 : 0;
        }
    SourceImage source(backend_, *image);
    RenderRequest request;
    request.spec = spec_of("bspline");
    request.width = request.height = 256;
    request.view.scale = 1.0 / 8;
    const HistogramReport h = pane_histogram(source, {image, Light::stored, request});
    EXPECT_GT(h.low, -1);
    EXPECT_LT(h.high, 2);
    EXPECT_GT(h.beyond, 0);
    EXPECT_GT(h.transparent, 10000);
    EXPECT_LT(h.beyond, 3 * 256 * 256 / 50);
    for (int c = 0; c < 3; ++c) EXPECT_GT(total(h.bins[size_t(c)]), 256 * 256 / 6);
    EXPECT_EQ(total(h.bins[3]), 256 * 256);
}

TEST_P(PaneHistogram, OfASelectionCountsOnlyItsPixels) {
    const auto image = std::make_shared<const Image>(noise(10, 8, 1, SampleType::u8, 443));
    SourceImage source(backend_, *image);
    RenderRequest request;
    request.spec = spec_of("nearest");
    request.width = 10;
    request.height = 8;
    const MeasureJob::Selection part{positions_of(request, 10, 8), 1.5, 2.5, 5.5, 4.5};
    const HistogramReport h = pane_histogram(source, {image, Light::stored, request}, part);
    EXPECT_TRUE(h.of_selection);
    EXPECT_EQ(h.pixels, 4 * 2);
    std::vector<int64_t> expected(256, 0);
    for (int y = 3; y <= 4; ++y)
        for (int x = 2; x <= 5; ++x) ++expected[size_t(std::lround(image->value(x, y, 0) * 255))];
    EXPECT_EQ(h.bins[0], expected);
}

ON_EVERY_BACKEND(PaneHistogram);

}  // namespace
}  // namespace texelscope::test
