// Positions in fixed point against those of extended precision.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/method/fixed_affine.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

ResampleJob affine_job(int width, int height, const Affine& positions) {
    ResampleJob job;
    job.source.width = job.source.height = 1 << 18;
    job.output.width = width;
    job.output.height = height;
    job.positions = positions;
    return job;
}

long double value_of(SplitCoordinate x) { return x.whole + (long double)(x.part) / 0x1p32L; }

struct Split {
    SplitCoordinate x, y;
};

Split split_at(const FixedAffine& f, long long i, long long j) {
    return {split(f, f.x0 + i * f.xx + j * f.xy), split(f, f.y0 + i * f.yx + j * f.yy)};
}

// An output of this size somewhere within 2¹⁸ samples, rotated and scaled at random.
Affine turned_view(Random& random, int width, int height) {
    const double largest = 0x1p17 / std::max(width, height), angle = random.between(0, 6.3);
    const double scale = largest * random.between(0.01, 0.99), x0 = 0x1p17, y0 = 0x1p17;
    return {scale * std::cos(angle), -scale * std::sin(angle), x0 - random.unit(),
            scale * std::sin(angle), scale * std::cos(angle),  y0 - random.unit()};
}

// "integer part and fraction are each exact to about 2⁻²⁴ texel", whenever they are used at all.
TEST(FixedAffine, WhatItTakesIsExactToTwoToTheMinus24) {
    Random random(1);
    int taken = 0;
    for (int n = 0; n < 400; ++n) {
        const int width = 1 << random.integer(0, 21), height = 1 << random.integer(0, 21);
        const Affine a = turned_view(random, width, height);
        const std::optional<FixedAffine> f = fixed_affine(affine_job(width, height, a));
        if (!f) continue;
        ++taken;
        for (int k = 0; k < 100; ++k) {
            const long long i = k == 0 ? width - 1 : random.integer(0, width - 1);
            const long long j = k <= 1 ? height - 1 : random.integer(0, height - 1);
            const Split at = split_at(*f, i, j);
            const long double x = (long double)a.xx * i + (long double)a.xy * j + a.x0;
            const long double y = (long double)a.yx * i + (long double)a.yy * j + a.y0;
            ASSERT_LE(std::abs(double(value_of(at.x) - x)), 0x1p-24)
                << width << "×" << height << " at " << i << ", " << j;
            ASSERT_LE(std::abs(double(value_of(at.y) - y)), 0x1p-24)
                << width << "×" << height << " at " << i << ", " << j;
        }
    }
    EXPECT_GT(taken, 200);
}

TEST(FixedAffine, WidthAndHeightTogetherAreAtMostTwoToThe19) {
    const Affine a{0.1, 0, 3, 0, 0.1, 4};
    constexpr int most = 1 << 19;
    EXPECT_TRUE(fixed_affine(affine_job(most - 1, 1, a)));
    EXPECT_TRUE(fixed_affine(affine_job(most / 2, most / 2, a)));
    EXPECT_FALSE(fixed_affine(affine_job(most, 1, a)));
    EXPECT_FALSE(fixed_affine(affine_job(1, most, a)));
    EXPECT_FALSE(fixed_affine(affine_job(INT32_MAX, INT32_MAX, {1e-6, 0, 3, 0, 1e-6, 4})));
}

// Steps like 1/3 have no exact representation, but every third position is whole and must not fall below it.
TEST(FixedAffine, WholePositionsStayWhole) {
    Random random(2);
    int taken = 0;
    for (int n = 0; n < 300; ++n) {
        const int q = random.integer(1, 12), p = random.integer(1, q), width = random.integer(1, (1 << 19) - 8);
        const double step = double(p) / q;
        const std::optional<FixedAffine> f = fixed_affine(affine_job(width, 8, {step, 0, 5, 0, 1, -3}));
        if (!f) continue;  // out of reach
        ++taken;
        for (int k = 0; k < 50; ++k) {
            const int whole = random.integer(0, (width - 1) / q);
            const SplitCoordinate x = split_at(*f, (long long)whole * q, 0).x;
            ASSERT_EQ(x.whole, 5 + whole * p) << step << ", " << width;
            ASSERT_EQ(x.part, 0u) << step << ", " << width;
        }
    }
    EXPECT_GT(taken, 100);
}

}  // namespace
}  // namespace texelscope::test
