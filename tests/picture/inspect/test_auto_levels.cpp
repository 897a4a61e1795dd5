// Auto contrast.

#include "app/picture/inspect/auto_levels.h"

#include <cmath>

#include <gtest/gtest.h>

#include "gpu/method/position.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

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
                       in_view = auto_levels(values_in_view(source, request, {}), {}, channel, share);
            ASSERT_TRUE(all && in_view);
            EXPECT_NEAR(in_view->black, all->black, 1e-5);
            EXPECT_NEAR(in_view->white, all->white, 1e-5);
            const auto part = auto_levels(image, Region{10, 20, 39, 49}, channel, share),
                       of_part = auto_levels(values_in_view(source, request, selection), {}, channel, share);
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
