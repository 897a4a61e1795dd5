// The sRGB transfer function (IEC 61966-2-1), images in linear light, straight colour.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "gpu/core/colour.h"
#include "gpu/core/image.h"

namespace texelscope::test {
namespace {

// The standard's text, in float64.
double decoded(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }

TEST(Colour, DecodesAsTheStandardSays) {
    for (int level = 0; level <= 65535; ++level)
        EXPECT_DOUBLE_EQ(srgb_decoded(level / 65535.0), decoded(level / 65535.0));
    EXPECT_NEAR(srgb_decoded(0.5), 0.2140411405, 1e-10);
}

TEST(Colour, CodesWhatItDecodesBackToEveryLevel) {
    for (int level = 0; level <= 255; ++level)
        EXPECT_EQ(to_8_bits(srgb_encoded(float(srgb_decoded(level / 255.0)))), unsigned(level));
    for (int level = 0; level <= 65535; ++level)
        ASSERT_NEAR(srgb_encoded(float(srgb_decoded(level / 65535.0))), level / 65535.0, 5e-7) << level;
}

TEST(Colour, HalfTheLightIsLevel188) { EXPECT_EQ(to_8_bits(srgb_encoded(0.5f)), 188u); }

// Overshoot of an interpolation leaves [0, 1].
TEST(Colour, IsMirroredBelowZeroAndContinuedAboveOne) {
    for (const double v : {0.01, 0.3, 1.0, 1.7, 40.0}) {
        EXPECT_EQ(srgb_encoded(float(-v)), -srgb_encoded(float(v)));
        EXPECT_EQ(srgb_decoded(-v), -srgb_decoded(v));
        EXPECT_NEAR(srgb_encoded(float(srgb_decoded(v))), v, 2e-6 * std::max(1.0, v));
    }
    EXPECT_GT(srgb_encoded(1.5f), 1.0f);
}

TEST(Colour, LinearLightDecodesColourAloneAndPremultipliedColourAsItsStraightValue) {
    for (const Alpha alpha : {Alpha::none, Alpha::straight, Alpha::premultiplied}) {
        Image image(1, 1, 4, SampleType::f32, alpha);
        const float factor = alpha == Alpha::premultiplied ? 0.5f : 1.0f;
        const float values[] = {0.2f * factor, 0.5f * factor, factor, 0.5f};
        std::copy_n(values, 4, image.row_as<float>(0));
        const Image light = linear_light(image);
        EXPECT_EQ(light.alpha(), alpha);
        EXPECT_EQ(light.type(), SampleType::f32);
        EXPECT_NEAR(light.value(0, 0, 0), decoded(0.2) * factor, 1e-7);
        EXPECT_NEAR(light.value(0, 0, 1), decoded(0.5) * factor, 1e-7);
        EXPECT_NEAR(light.value(0, 0, 2), factor, 1e-7);
        EXPECT_NEAR(light.value(0, 0, 3), alpha == Alpha::none ? decoded(0.5) : 0.5, 1e-7);
    }
}

// A method's weights, whatever their sum, applied to a premultiplied area of one colour: the quotient is that colour.
TEST(Colour, StraightColourIsTheQuotientAtEveryAlphaButZero) {
    for (const float alpha : {1.0f, 0.25f, 1.125f, -0.0625f, 0x1p-30f, -0x1p-30f, 0x1p-120f})
        for (const float colour : {0.75f, -0.5f, 40.0f}) EXPECT_EQ(straight_value(colour * alpha, alpha), colour);
    for (const float premultiplied : {0.0f, 0.5f, -0.5f, INFINITY, NAN})
        for (const float zero : {0.0f, -0.0f}) EXPECT_EQ(straight_value(premultiplied, zero), 0.0f);
    EXPECT_TRUE(std::isnan(straight_value(0.5f, NAN)));
    float pixel[] = {0.25f, -0.25f, 1, 0.5f};
    make_straight(pixel, 4);
    EXPECT_THAT(pixel, testing::ElementsAre(0.5f, -0.5f, 2.0f, 0.5f));
}

}  // namespace
}  // namespace texelscope::test
