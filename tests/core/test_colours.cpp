// Colours: transfer functions and colour maps.

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"
#include "gpu/display/pixel.h"

namespace texelscope::test {
namespace {

// The sRGB transfer function (IEC 61966-2-1), images in linear light, straight colour.

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

// The colour maps in OKLab and CIELAB, both coded here from their definitions.

struct Lab {
    double lightness, a, b;
    double chroma() const { return std::hypot(a, b); }
    double hue() const { return std::atan2(b, a) * 180 / M_PI; }
};

struct Xyz {
    double x, y, z;
};

// IEC 61966-2-1: decoded, then to CIE XYZ (D65, white Y = 1).
Xyz xyz(uint32_t pixel) {
    const auto linear = [&](int shift) {
        const double v = double(pixel >> shift & 255) / 255;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    const double r = linear(0), g = linear(8), b = linear(16);
    return {0.4124564 * r + 0.3575761 * g + 0.1804375 * b, 0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
            0.0193339 * r + 0.1191920 * g + 0.9503041 * b};
}

// Ottosson's OKLab as he defines it, over XYZ.
Lab oklab(uint32_t pixel) {
    const Xyz c = xyz(pixel);
    const double l = std::cbrt(0.8189330101 * c.x + 0.3618667424 * c.y - 0.1288597137 * c.z);
    const double m = std::cbrt(0.0329845436 * c.x + 0.9293118715 * c.y + 0.0361456387 * c.z);
    const double s = std::cbrt(0.0482003018 * c.x + 0.2643662691 * c.y + 0.6338517070 * c.z);
    return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

// CIE 1976 L*, 0 … 100.
double cie_lightness(uint32_t pixel) {
    const double y = xyz(pixel).y;
    return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : 24389.0 / 27 * y;
}

double step(uint32_t p, uint32_t q) {
    const Lab a = oklab(p), b = oklab(q);
    return std::sqrt(std::pow(a.lightness - b.lightness, 2) + std::pow(a.a - b.a, 2) + std::pow(a.b - b.b, 2));
}

// Ottosson's revised lightness: the root x of x² + k₁x = k₃L (x + k₂), which keeps black and white.
double revised_lightness(uint32_t pixel) {
    const double k1 = 0.206, k2 = 0.03, scaled = (1 + k1) / (1 + k2) * oklab(pixel).lightness;
    return (scaled - k1 + std::sqrt((scaled - k1) * (scaled - k1) + 4 * k2 * scaled)) / 2;
}

// The effect of 8 bits on the lightness of a colour this dark: half a level on every channel.
double rounding(double lightness) { return lightness > 0.3 ? 0.004 : 0.012; }

constexpr std::array sequential = {ColourMap::grey, ColourMap::ember, ColourMap::lagoon};

TEST(ColourMaps, AreOpaqueAndHaveNames) {
    std::vector<std::string_view> names;
    for (const ColourMap map : all_colour_maps) {
        names.push_back(name_of(map));
        for (const uint32_t colour : colour_table(map)) EXPECT_EQ(colour >> 24, 255u);
    }
    EXPECT_EQ(names, (std::vector<std::string_view>{"channels", "grey", "ember", "lagoon", "balance"}));
    EXPECT_EQ(colour_table(ColourMap::channels), colour_table(ColourMap::grey));
}

TEST(ColourMaps, SequentialLightnessRisesEvenly) {
    for (const ColourMap map : sequential) {
        const auto& table = colour_table(map);
        const double first = revised_lightness(table[0]), last = revised_lightness(table[255]);
        EXPECT_GT(last - first, 0.7) << name_of(map);
        for (int i = 0; i < 256; ++i) {
            const double even = first + (last - first) * i / 255;
            EXPECT_NEAR(revised_lightness(table[size_t(i)]), even, rounding(even)) << name_of(map) << " " << i;
            if (i < 8) continue;
            EXPECT_GT(cie_lightness(table[size_t(i)]), cie_lightness(table[size_t(i - 8)])) << name_of(map) << " " << i;
        }
    }
}

// Greys have no hue to bend it: CIE lightness, which the revised one was fitted to, rises evenly to within 3 of 100, and a level of 8 bits.
TEST(ColourMaps, GreysAreEvenInCieLightness) {
    for (int i = 0; i < 256; ++i)
        EXPECT_NEAR(cie_lightness(colour_table(ColourMap::grey)[size_t(i)]), i / 2.55, 3.3) << i;
}

// Sixteenths of the map look about equally far apart.
TEST(ColourMaps, StepsAreNearlyEven) {
    for (const ColourMap map : {ColourMap::grey, ColourMap::ember, ColourMap::lagoon}) {
        const auto& table = colour_table(map);
        double smallest = 1, largest = 0;
        for (int i = 15; i + 15 <= 255; i += 15) {  // the first sixteenth is nearly black: 8 bits are coarse there
            const double length = step(table[size_t(i)], table[size_t(i + 15)]);
            smallest = std::min(smallest, length);
            largest = std::max(largest, length);
        }
        EXPECT_LT(largest, 2 * smallest) << name_of(map);
    }
}

TEST(ColourMaps, EndsAreAsDescribed) {
    const auto at = [](ColourMap map, int i) { return oklab(colour_table(map)[size_t(i)]); };
    EXPECT_EQ(colour_table(ColourMap::grey)[0], 0xff000000u);
    EXPECT_EQ(colour_table(ColourMap::grey)[255], 0xffffffffu);
    EXPECT_EQ(colour_table(ColourMap::ember)[0], 0xff000000u);
    EXPECT_NEAR(at(ColourMap::ember, 80).hue(), -20, 30) << "violet";
    EXPECT_NEAR(at(ColourMap::ember, 170).hue(), 50, 15) << "orange";
    EXPECT_GT(at(ColourMap::ember, 255).lightness, 0.95) << "pale yellow";
    EXPECT_NEAR(at(ColourMap::ember, 255).hue(), 105, 10);
    EXPECT_NEAR(at(ColourMap::lagoon, 0).hue(), -92, 10) << "dark blue";
    EXPECT_LT(at(ColourMap::lagoon, 0).lightness, 0.3);
    EXPECT_NEAR(at(ColourMap::lagoon, 180).hue(), 150, 15) << "green";
    EXPECT_NEAR(at(ColourMap::lagoon, 255).hue(), 105, 10) << "yellow";
    EXPECT_NEAR(at(ColourMap::balance, 0).hue(), -105, 10) << "blue";
    EXPECT_NEAR(at(ColourMap::balance, 255).hue(), 50, 10) << "orange";
    EXPECT_LT(at(ColourMap::balance, 128).chroma(), 0.02) << "neutral";
}

TEST(ColourMaps, BalanceIsAsLightOnBothSides) {
    const auto& table = colour_table(ColourMap::balance);
    for (int i = 0; i < 128; ++i) {
        EXPECT_NEAR(oklab(table[size_t(i)]).lightness, oklab(table[size_t(255 - i)]).lightness, 0.008) << i;
        if (i < 4) continue;
        EXPECT_GT(oklab(table[size_t(i)]).lightness, oklab(table[size_t(i - 4)]).lightness) << i;
    }
    EXPECT_GT(oklab(table[127]).lightness, 0.95);
}

TEST(Oklab, GoesBackToTheLinearColourThatItCameFrom) {
    for (const uint32_t pixel : {0xff0000ffu, 0xff00ff00u, 0xffff0000u, 0xffffffffu, 0xff336699u, 0xff808080u}) {
        const Lab lab = oklab(pixel);
        const Rgb c = linear_from_oklab(float(lab.lightness), float(lab.a), float(lab.b));
        const uint32_t back = rgba_of(srgb_encoded(c.r), srgb_encoded(c.g), srgb_encoded(c.b));
        for (const int shift : {0, 8, 16})  // the constants of both definitions are rounded to ten digits
            EXPECT_NEAR(double(back >> shift & 255), double(pixel >> shift & 255), 1) << pixel;
    }
}

}  // namespace
}  // namespace texelscope::test
