// Histograms: every value in the right bin, and values in none are reported.

#include "app/picture/inspect/histogram.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "app/picture/inspect/pane_histogram.h"
#include "gpu/backend/source_image.h"
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

ON_EVERY_BACKEND(PaneHistogram);

}  // namespace
}  // namespace texelscope::test
