// Images in host memory and their conversions.

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/core/colour.h"
#include "gpu/core/half.h"
#include "gpu/core/image.h"
#include "gpu/display/display.h"
#include "gpu/display/pixel.h"

namespace texelscope::test {
namespace {

Image row_of(std::initializer_list<float> values, int channels = 1, Alpha alpha = Alpha::none) {
    Image image(int(values.size()) / channels, 1, channels, SampleType::f32, alpha);
    std::copy(values.begin(), values.end(), image.row_as<float>(0));
    return image;
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Image, ANewImageIsZero) {
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
        const Image image(5, 3, 2, type);
        EXPECT_EQ(image.size_bytes(), size_t(5 * 3 * 2 * bytes_per_sample(type)));
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 5; ++x) EXPECT_EQ(image.value(x, y, 1), 0.0f);
    }
}

TEST(Image, ImpossibleSizesAreErrorsThatNameTheSize) {
    for (const auto& [width, height] : {std::pair{0, 1}, {1, 0}, {-1, 5}, {int(max_image_side) + 1, 1}, {1, INT32_MAX}})
        try {
            Image image(width, height, 1, SampleType::u8);
            ADD_FAILURE() << width << "×" << height << " was accepted";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(std::to_string(width)), std::string::npos) << error.what();
        }
    EXPECT_THROW(Image(1, 1, 0, SampleType::u8), Error);
    EXPECT_THROW(Image(1, 1, 5, SampleType::u8), Error);
}

// A header that claims 2^48 samples: refused before any memory is requested.
TEST(Image, HostileSizesAreErrors) { EXPECT_THROW(Image(1 << 24, 1 << 24, 4, SampleType::f32), Error); }

int released = 0;

// Memory of others is used as it is and given back once; a copy does not share it.
TEST(Image, MemoryOfAnotherKindIsGivenBackOnce) {
    static std::byte memory[6] = {std::byte(1), std::byte(2)};
    released = 0;
    Image copy;
    {
        Image image(3, 2, 1, SampleType::u8, Alpha::none, [](size_t bytes) {
            return SampleMemory(memory, bytes, [](std::byte*, size_t) noexcept { ++released; });
        });
        EXPECT_EQ(image.data(), memory);
        Image moved = std::move(image);
        EXPECT_TRUE(image.empty());
        EXPECT_EQ(moved.data(), memory);
        copy = moved;
        copy.data()[0] = std::byte(9);
        EXPECT_EQ(released, 0);
    }
    EXPECT_EQ(released, 1);
    EXPECT_EQ(memory[0], std::byte(1));
    EXPECT_EQ(copy.size_bytes(), 6u);
    EXPECT_EQ(copy.data()[1], std::byte(2));
    copy = Image();
    EXPECT_EQ(released, 1);
}

TEST(Image, IntegersStandForTheirShareOfTheMaximum) {
    Image bytes(256, 1, 1, SampleType::u8);
    for (int v = 0; v < 256; ++v) bytes.row_as<uint8_t>(0)[v] = uint8_t(v);
    for (int v = 0; v < 256; ++v) EXPECT_EQ(bytes.value(v, 0, 0), float(v / 255.0));
    Image words(65536, 1, 1, SampleType::u16);
    for (int v = 0; v < 65536; ++v) words.row_as<uint16_t>(0)[v] = uint16_t(v);
    for (int v = 0; v < 65536; ++v) ASSERT_EQ(words.value(v, 0, 0), float(v / 65535.0));
}

TEST(Image, EveryIntegerSurvivesTheRoundTripThroughFloat) {
    Image bytes(256, 1, 1, SampleType::u8), words(65536, 1, 1, SampleType::u16);
    for (int v = 0; v < 256; ++v) bytes.row_as<uint8_t>(0)[v] = uint8_t(v);
    for (int v = 0; v < 65536; ++v) words.row_as<uint16_t>(0)[v] = uint16_t(v);
    const Image bytes_back = converted(converted(bytes, SampleType::f32), SampleType::u8);
    const Image words_back = converted(converted(words, SampleType::f32), SampleType::u16);
    for (int v = 0; v < 256; ++v) EXPECT_EQ(bytes_back.row_as<uint8_t>(0)[v], v);
    for (int v = 0; v < 65536; ++v) ASSERT_EQ(words_back.row_as<uint16_t>(0)[v], v);
}

// Every 16-bit value rounded to 8 bits: v·255/65535 to the nearest; there are no ties (257 is odd).
TEST(Image, SixteenToEightBitsRoundsToNearest) {
    Image words(65536, 1, 1, SampleType::u16);
    for (int v = 0; v < 65536; ++v) words.row_as<uint16_t>(0)[v] = uint16_t(v);
    const Image bytes = converted(words, SampleType::u8);
    for (int v = 0; v < 65536; ++v) ASSERT_EQ(bytes.row_as<uint8_t>(0)[v], (v + 128) / 257) << v;
}

TEST(Image, ConversionToIntegersClampsAndTurnsNaNIntoZero) {
    const Image floats = row_of({-0.5f, 1.5f, nan, infinity, -infinity, 0.5f, 1.0f, -0.0f});
    const Image bytes = converted(floats, SampleType::u8), words = converted(floats, SampleType::u16);
    const int expected_bytes[] = {0, 255, 0, 255, 0, 128, 255, 0};
    const int expected_words[] = {0, 65535, 0, 65535, 0, 32768, 65535, 0};
    for (int i = 0; i < 8; ++i) {
        EXPECT_EQ(bytes.row_as<uint8_t>(0)[i], expected_bytes[i]) << i;
        EXPECT_EQ(words.row_as<uint16_t>(0)[i], expected_words[i]) << i;
    }
}

TEST(Image, ConversionToFloatTypesKeepsNaNAndInfinity) {
    const Image floats = row_of({nan, infinity, -infinity, 2.5f});
    const Image halves = converted(floats, SampleType::f16);
    EXPECT_TRUE(std::isnan(halves.value(0, 0, 0)));
    EXPECT_EQ(halves.value(1, 0, 0), infinity);
    EXPECT_EQ(halves.value(2, 0, 0), -infinity);
    EXPECT_EQ(halves.value(3, 0, 0), 2.5f);
}

TEST(Image, ConversionKeepsSizeChannelsAndAlpha) {
    const Image image(3, 2, 4, SampleType::u8, Alpha::straight);
    const Image other = converted(image, SampleType::f16);
    EXPECT_EQ(other.width(), 3);
    EXPECT_EQ(other.height(), 2);
    EXPECT_EQ(other.channels(), 4);
    EXPECT_EQ(other.type(), SampleType::f16);
    EXPECT_EQ(other.alpha(), Alpha::straight);
}

TEST(Image, PremultiplyingMultipliesColourByAlphaAndKeepsAlpha) {
    const Image result = premultiplied(row_of({0.5f, 1.0f, 0.25f, 0.5f}, 4, Alpha::straight));
    EXPECT_EQ(result.alpha(), Alpha::premultiplied);
    EXPECT_EQ(result.value(0, 0, 0), 0.25f);
    EXPECT_EQ(result.value(0, 0, 1), 0.5f);
    EXPECT_EQ(result.value(0, 0, 2), 0.125f);
    EXPECT_EQ(result.value(0, 0, 3), 0.5f);
}

TEST(Image, ImagesWithoutStraightAlphaAreNotPremultiplied) {
    const Image plain = row_of({0.5f, 0.5f}, 2);
    EXPECT_EQ(premultiplied(plain).value(0, 0, 0), 0.5f);
    EXPECT_EQ(premultiplied(plain).alpha(), Alpha::none);
    const Image already = row_of({0.5f, 0.5f}, 2, Alpha::premultiplied);
    EXPECT_EQ(premultiplied(already).value(0, 0, 0), 0.5f);
}

TEST(Image, UnpremultiplyingIsTheInverse) {
    const Image straight = row_of({0.5f, 0.25f, 1.0f, 1.0f}, 2, Alpha::straight);
    const Image back = unpremultiplied(premultiplied(straight));
    EXPECT_EQ(back.alpha(), Alpha::straight);
    for (int x = 0; x < 2; ++x)
        for (int c = 0; c < 2; ++c) EXPECT_FLOAT_EQ(back.value(x, 0, c), straight.value(x, 0, c));
}

TEST(Image, UnpremultiplyingIsTheInverseAtEveryAlphaButZero) {
    const Image result = unpremultiplied(row_of({0.5f, 0.0f, -0.125f, -0.25f, 0.75f, 1.5f}, 2, Alpha::premultiplied));
    EXPECT_EQ(result.value(0, 0, 0), 0.0f);
    EXPECT_EQ(result.value(1, 0, 0), 0.5f);
    EXPECT_EQ(result.value(2, 0, 0), 0.5f);
    EXPECT_EQ(premultiplied(result).value(1, 0, 0), -0.125f);
}

TEST(Image, WhatIsUnderATransparentPixelNeedNotBeANumber) {
    Image image(1, 1, 4, SampleType::f32, Alpha::straight);
    const float values[] = {NAN, INFINITY, -INFINITY, 0};
    std::copy_n(values, 4, image.row_as<float>(0));
    for (int c = 0; c < 4; ++c) EXPECT_EQ(premultiplied(image).value(0, 0, c), 0) << c;
}

TEST(Image, TheDescriptionIsSizeTypeAndChannels) {
    EXPECT_EQ(describe(Image(4096, 17, 3, SampleType::u8)), "4096×17 u8×3");
}

}  // namespace

// Colours: transfer functions and colour maps.

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

// All but the one for signed values.
std::vector<ColourMap> sequential() {
    std::vector<ColourMap> maps(all_colour_maps.begin(), all_colour_maps.end());
    std::erase(maps, ColourMap::channels);
    std::erase(maps, ColourMap::balance);
    return maps;
}

TEST(ColourMaps, AreOpaqueAndHaveNames) {
    std::vector<std::string_view> names;
    for (const ColourMap map : all_colour_maps) {
        names.push_back(name_of(map));
        for (const uint32_t colour : colour_table(map)) EXPECT_EQ(colour >> 24, 255u);
    }
    for (const char* kept_by_sessions : {"channels", "grey", "ember", "lagoon", "balance"})
        EXPECT_EQ(std::ranges::count(names, kept_by_sessions), 1) << kept_by_sessions;
    EXPECT_EQ(colour_table(ColourMap::channels), colour_table(ColourMap::grey));
}

TEST(ColourMaps, SequentialLightnessRisesEvenly) {
    for (const ColourMap map : sequential()) {
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
    for (const ColourMap map : sequential()) {
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
