// binary16, over all its 65536 patterns.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "gpu/core/half.h"

namespace texelscope::test {
namespace {

// From the definition of IEEE 754 binary16: 1 sign, 5 exponent, 10 mantissa bits.
double defined_value(uint16_t bits) {
    const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
    const double magnitude = exponent == 31  ? (mantissa ? NAN : INFINITY)
                             : exponent == 0 ? std::ldexp(mantissa, -24)
                                             : std::ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Half, EveryPatternIsReadAsDefined) {
    for (int bits = 0; bits < 65536; ++bits) {
        const double expected = defined_value(uint16_t(bits));
        const float value = half_to_float(uint16_t(bits));
        if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(value)) << bits;
        } else EXPECT_EQ(value, expected) << bits;
        EXPECT_EQ(std::signbit(value), bool(bits & 0x8000)) << bits;
    }
}

TEST(Half, EveryPatternSurvivesTheRoundTrip) {
    for (int bits = 0; bits < 65536; ++bits) {
        const float value = half_to_float(uint16_t(bits));
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value)))) << bits;
        } else EXPECT_EQ(float_to_half(value), bits) << bits;
    }
}

// Between two neighbouring halves: the nearer one, from the middle the even one.
TEST(Half, ConversionRoundsToNearestEven) {
    for (int bits = 0; bits < 0x7bff; ++bits) {
        const float low = half_to_float(uint16_t(bits)), high = half_to_float(uint16_t(bits + 1));
        const float middle = float((double(low) + double(high)) / 2);  // exact: halves have 11 bits
        const int even = bits % 2 == 0 ? bits : bits + 1;
        ASSERT_EQ(float_to_half(middle), even) << bits;
        ASSERT_EQ(float_to_half(std::nextafter(middle, low)), bits) << bits;
        ASSERT_EQ(float_to_half(std::nextafter(middle, high)), bits + 1) << bits;
        ASSERT_EQ(float_to_half(-middle), even | 0x8000) << bits;
    }
}

TEST(Half, TheLargestHalfIs65504AndBeyondItIsInfinity) {
    EXPECT_EQ(float_to_half(65504.0f), 0x7bff);
    EXPECT_EQ(float_to_half(65519.996f), 0x7bff);
    EXPECT_EQ(float_to_half(65520.0f), 0x7c00);  // the middle to 65536 rounds to even, which is infinity
    EXPECT_EQ(float_to_half(1e30f), 0x7c00);
    EXPECT_EQ(float_to_half(-INFINITY), 0xfc00);
}

TEST(Half, TinyFloatsBecomeZeroOrTheSmallestSubnormal) {
    EXPECT_EQ(float_to_half(0x1p-25f), 0);  // a tie, to even
    EXPECT_EQ(float_to_half(std::nextafter(0x1p-25f, 1.0f)), 1);
    EXPECT_EQ(float_to_half(1e-40f), 0);
    EXPECT_EQ(float_to_half(-0.0f), 0x8000);
}

}  // namespace
}  // namespace texelscope::test
