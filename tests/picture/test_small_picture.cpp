// Small pictures: size, light, alpha, colours.

#include <cmath>

#include <gtest/gtest.h>

#include "app/picture/small_picture.h"
#include "gpu/core/colour_profile.h"

namespace texelscope::test {
namespace {

int level(const Image& image, int x, int y, int c = 0) { return image.row_as<uint8_t>(y)[x * image.channels() + c]; }

TEST(SmallPicture, FitsTheBoxAndIsNeverEnlarged) {
    EXPECT_EQ(fitted_extent({4000, 3000}, {128, 128}), (Extent{128, 96}));
    EXPECT_EQ(fitted_extent({3000, 4000}, {112, 72}), (Extent{54, 72}));
    EXPECT_EQ(fitted_extent({100, 50}, {128, 128}), (Extent{100, 50}));
    EXPECT_EQ(fitted_extent({100000, 2}, {128, 128}), (Extent{128, 1}));
    const Image small = small_picture(Image(40, 30, 1, SampleType::u8), {128, 128});
    EXPECT_EQ(small.width(), 40);
    EXPECT_EQ(small.channels(), 3);
}

// Black and white pixels in equal parts shine half: sRGB level 188 (IEC 61966-2-1), where the mean of the levels is 128.
TEST(SmallPicture, KeepsTheLight) {
    for (const SampleType type : {SampleType::u8, SampleType::u16}) {
        Image checks(600, 400, 3, type);
        for (int y = 0; y < checks.height(); ++y)
            for (int i = 0; i < 3 * checks.width(); ++i) {
                const bool white = (i / 3 + y) % 2 == 0;
                if (type == SampleType::u8) checks.row_as<uint8_t>(y)[i] = white ? 255 : 0;
                else checks.row_as<uint16_t>(y)[i] = white ? 65535 : 0;
            }
        const Image small = small_picture(checks, {128, 128});
        ASSERT_EQ(small.width(), 128);
        for (const auto& [x, y] : {std::pair{64, 40}, {3, 3}, {100, 80}}) EXPECT_NEAR(level(small, x, y), 188, 2);
    }
}

// Where nothing is seen, its colour does not count.
TEST(SmallPicture, TransparentPixelsDoNotColour) {
    Image image(512, 512, 4, SampleType::u8, Alpha::straight);
    for (int y = 0; y < 512; ++y)
        for (int x = 0; x < 512; ++x) {
            const uint8_t red[] = {255, 0, 0, 255}, nothing[] = {0, 255, 0, 0};
            std::copy_n((x / 2) % 2 == 0 ? red : nothing, 4, image.row_as<uint8_t>(y) + 4 * x);
        }
    const Image small = small_picture(image, {64, 64});
    ASSERT_EQ(small.channels(), 4);
    EXPECT_NEAR(level(small, 30, 30, 0), 255, 1);
    EXPECT_NEAR(level(small, 30, 30, 1), 0, 1);
    EXPECT_NEAR(level(small, 30, 30, 3), 128, 2);
}

// A grey of a linear profile: the sRGB level of that light.
TEST(SmallPicture, IsInTheColoursOfItsProfile) {
    Image image(300, 300, 3, SampleType::u8);
    for (int y = 0; y < 300; ++y) std::fill_n(image.row_as<uint8_t>(y), 900, uint8_t(55));
    ColourProfile profile;
    profile.exponent = 1;
    image.set_profile(std::make_shared<const ColourProfile>(profile));
    const double light = 55 / 255.0, coded = 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    EXPECT_NEAR(level(small_picture(image, {100, 100}), 50, 50, 1), 255 * coded, 1.5);
    Image light_file(300, 300, 3, SampleType::f32);
    std::fill_n(light_file.row_as<float>(0), 300 * 900, float(light));
    profile.linear_light = true;
    light_file.set_profile(std::make_shared<const ColourProfile>(profile));
    EXPECT_NEAR(level(small_picture(light_file, {100, 100}), 50, 50, 1), 255 * coded, 1.5);
}

// Of floats: whatever their range is.
TEST(SmallPicture, OfMeasuredValuesShowsMoreThanWhite) {
    const auto small_of = [](float low, float high) {
        Image image(200, 100, 1, SampleType::f32);
        for (int y = 0; y < 100; ++y)
            for (int x = 0; x < 200; ++x) image.row_as<float>(y)[x] = low + (high - low) * float(x) / 199;
        image.row_as<float>(50)[100] = INFINITY;
        return small_picture(image, {100, 50});
    };
    for (const auto& [low, high] : {std::pair{0.0f, 10000.0f}, {-5.0f, 5.0f}, {1000.0f, 1001.0f}}) {
        const Image small = small_of(low, high);
        EXPECT_LE(level(small, 0, 10), 5) << low;
        EXPECT_NEAR(level(small, 25, 10), 64, 4) << low;
        EXPECT_NEAR(level(small, 75, 10), 191, 4) << low;
        EXPECT_GE(level(small, 99, 10), 250) << low;
    }
    const Image picture = small_of(0.25f, 0.5f);
    EXPECT_NEAR(level(picture, 2, 10), 65, 2) << "within [0, 1] as it is stored";
    EXPECT_NEAR(level(picture, 97, 10), 126, 2);
}

// Edges stay where they are, and detail that the small picture cannot hold is grey, not a pattern.
TEST(SmallPicture, IsAntialiased) {
    Image image(1000, 1000, 1, SampleType::u8);
    for (int y = 0; y < 1000; ++y)
        for (int x = 0; x < 1000; ++x) image.row_as<uint8_t>(y)[x] = x < 500 ? (x % 3 == 0 ? 255 : 0) : 0;
    const Image small = small_picture(image, {100, 100});
    const int expected = int(std::lround(255 * (1.055 * std::pow(1 / 3.0, 1 / 2.4) - 0.055)));
    for (int x = 10; x < 45; ++x) EXPECT_NEAR(level(small, x, 50), expected, 3) << x;
    for (int x = 55; x < 100; ++x) EXPECT_LE(level(small, x, 50), 2) << x;
}

}  // namespace
}  // namespace texelscope::test
