// Images in host memory and their conversions.

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <utility>

#include "gpu/core/half.h"
#include "gpu/core/image.h"

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
}  // namespace texelscope::test
