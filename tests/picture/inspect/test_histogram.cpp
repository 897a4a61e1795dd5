// Histograms: every value in the right bin, and values in none are reported.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "app/picture/inspect/statistics.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
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
    EXPECT_EQ(pane_histogram(source, rendition)->pixels, 20 * 18);
    rendition.request.outside = Outside::background;
    const HistogramReport h = pane_histogram(source, rendition).value();
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
    const HistogramReport h = pane_histogram(source, {image, Light::stored, request}).value();
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
    const HistogramReport h = pane_histogram(source, {image, Light::stored, request}, part).value();
    EXPECT_TRUE(h.of_selection);
    EXPECT_EQ(h.pixels, 4 * 2);
    std::vector<int64_t> expected(256, 0);
    for (int y = 3; y <= 4; ++y)
        for (int x = 2; x <= 5; ++x) ++expected[size_t(std::lround(image->value(x, y, 0) * 255))];
    EXPECT_EQ(h.bins[0], expected);
}

ON_EVERY_BACKEND(PaneHistogram);

// Auto contrast.

// 0, 1, … 100 hundredths, from left to right.
Image ramp() {
    Image image(101, 1, 1, SampleType::f32);
    for (int x = 0; x < 101; ++x) image.row_as<float>(0)[x] = float(x) / 100;
    return image;
}

TEST(AutoLevels, ArePercentiles) {
    for (const double share : {0.0, 0.01, 0.05, 0.25}) {
        const auto levels = auto_levels(ramp(), {}, ChannelView::all, share);
        ASSERT_TRUE(levels);
        EXPECT_NEAR(levels->black, share, 1e-6);
        EXPECT_NEAR(levels->white, 1 - share, 1e-6);
    }
}

TEST(AutoLevels, AreThoseOfTheRegionAndOfTheChannel) {
    const auto part = auto_levels(ramp(), Region{9.6, -0.5, 20.4, 0.5}, ChannelView::all, 0);
    ASSERT_TRUE(part);
    EXPECT_NEAR(part->black, 0.10, 1e-6);
    EXPECT_NEAR(part->white, 0.20, 1e-6);
    EXPECT_FALSE(auto_levels(ramp(), Region{200, 0, 210, 1}, ChannelView::all, 0));

    Image colour(2, 1, 3, SampleType::u8);
    const uint8_t values[] = {0, 51, 102, 255, 153, 204};
    std::copy_n(values, 6, colour.row_as<uint8_t>(0));
    const auto all = auto_levels(colour, {}, ChannelView::all, 0),
               second = auto_levels(colour, {}, ChannelView::second, 0);
    EXPECT_EQ(all->black, 0);
    EXPECT_EQ(all->white, 1);
    EXPECT_NEAR(second->black, 0.2, 1e-6);
    EXPECT_NEAR(second->white, 0.6, 1e-6);
}

TEST(AutoLevels, LeaveOutWhatIsNotFiniteOrTransparent) {
    Image image(4, 1, 2, SampleType::f32, Alpha::premultiplied);
    const float values[] = {NAN, 1, 0.1f, 0.5f, 0.8f, 1, 9, 0};  // straight: NaN, 0.2, 0.8, none
    std::copy_n(values, 8, image.row_as<float>(0));
    const auto levels = auto_levels(image, {}, ChannelView::all, 0);
    ASSERT_TRUE(levels);
    EXPECT_NEAR(levels->black, 0.2, 1e-6);
    EXPECT_NEAR(levels->white, 0.8, 1e-6);
    image.row_as<float>(0)[7] = 0.4f / 255;  // of the last: less than 8 bits can show
    EXPECT_NEAR(auto_levels(image, {}, ChannelView::all, 0)->white, 0.8, 1e-6);
    EXPECT_FALSE(auto_levels(Image(8, 8, 1, SampleType::u8), {}, ChannelView::all, 0.01)) << "all the same";
}

// In a view of all samples, each as a pixel, around them the background.
TEST(AutoLevels, InViewAreThoseOfTheSamplesThatItShows) {
    const Image image = noise(80, 60, 4, SampleType::u8, 7, Alpha::straight);
    SourceImage source(make_cpu_backend(), image);
    RenderRequest request;
    request.spec = parse_spec("nearest");
    request.width = 100;
    request.height = 90;
    request.outside = Outside::background;
    const MeasureJob::Selection selection{positions_of(request, 80, 60), 10, 20, 40, 50};
    for (const ChannelView channel : {ChannelView::all, ChannelView::second, ChannelView::alpha})
        for (const double share : {0.0, 0.05}) {
            const auto all = auto_levels(image, {}, channel, share),
                       in_view = auto_levels(*values_in_view(source, request, {}), {}, channel, share);
            ASSERT_TRUE(all && in_view);
            EXPECT_NEAR(in_view->black, all->black, 1e-5);
            EXPECT_NEAR(in_view->white, all->white, 1e-5);
            const auto part = auto_levels(image, Region{10, 20, 39, 49}, channel, share),
                       of_part = auto_levels(*values_in_view(source, request, selection), {}, channel, share);
            ASSERT_TRUE(part && of_part);
            EXPECT_NEAR(of_part->black, part->black, 1e-5);
            EXPECT_NEAR(of_part->white, part->white, 1e-5);
        }
}

// Every third sample of every third row is as good as all of a smooth picture.
TEST(AutoLevels, OfALargeImageAreThoseOfAMillionSamples) {
    Image image(3000, 2000, 1, SampleType::u16);
    for (int y = 0; y < 2000; ++y)
        for (int x = 0; x < 3000; ++x) image.row_as<uint16_t>(y)[x] = uint16_t(10000 + 10 * x);
    const auto levels = auto_levels(image, {}, ChannelView::all, 0.01);
    ASSERT_TRUE(levels);
    EXPECT_NEAR(levels->black, (10000 + 0.01 * 29990) / 65535, 1e-3);
    EXPECT_NEAR(levels->white, (10000 + 0.99 * 29990) / 65535, 1e-3);
}

}  // namespace
}  // namespace texelscope::test
