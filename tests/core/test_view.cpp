// Where a view reads an image, and what lies beyond its border.

#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/address.h"
#include "gpu/core/view.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// View → sample-space positions, against the formula of docs/fidelity.md in long double.

TEST(View, TheStandardViewOfEqualSizesIsTheIdentity) {
    for (const auto& [w, h] : {std::pair{1, 1}, {2, 3}, {640, 480}, {4096, 4095}, {131072, 65536}}) {
        EXPECT_EQ(sampling_affine({}, w, h, w, h), Affine{});
        EXPECT_TRUE(sampling_affine({}, w, h, w, h).axis_aligned());
    }
}

TEST(View, PositionsAreThoseOfTheFormula) {
    Random random(1);
    for (int n = 0; n < 2000; ++n) {
        const int w = random.integer(1, 5000), h = random.integer(1, 5000);
        const int out_w = random.integer(1, 5000), out_h = random.integer(1, 5000);
        const View view = random_view(random, w, h);
        const int i = random.integer(0, out_w - 1), j = random.integer(0, out_h - 1);
        const auto expected = reference::position(view, w, h, out_w, out_h, i, j);
        const Point got = apply(sampling_affine(view, w, h, out_w, out_h), i, j);
        const double magnitude =
            std::abs(double(expected.x)) + std::abs(double(expected.y)) + view.scale * 10000 + w + h;
        ASSERT_NEAR(got.x, double(expected.x), magnitude * 1e-15) << n;
        ASSERT_NEAR(got.y, double(expected.y), magnitude * 1e-15) << n;
    }
}

// x to the right, y down: a positive quarter turn takes the step to the right to a step down in the image.
TEST(View, QuarterTurnsAreExact) {
    const struct {
        double degrees, xx, xy, yx, yy;
    } turns[] = {{0, 1, 0, 0, 1},    {90, 0, -1, 1, 0},    {180, -1, 0, 0, -1}, {270, 0, 1, -1, 0},
                 {-90, 0, 1, -1, 0}, {-180, -1, 0, 0, -1}, {360, 1, 0, 0, 1},   {-270, 0, -1, 1, 0},
                 {450, 0, -1, 1, 0}, {3600, 1, 0, 0, 1},   {-810, 0, 1, -1, 0}, {360090, 0, -1, 1, 0}};
    for (const auto& t : turns) {
        View view;
        view.rotate = t.degrees;
        const Affine a = sampling_affine(view, 101, 101, 101, 101);
        EXPECT_EQ(a.xx, t.xx) << t.degrees;
        EXPECT_EQ(a.xy, t.xy) << t.degrees;
        EXPECT_EQ(a.yx, t.yx) << t.degrees;
        EXPECT_EQ(a.yy, t.yy) << t.degrees;
    }
}

TEST(View, AQuarterTurnPermutesTheSamplesOfANonSquareImage) {
    View view;
    view.rotate = 90;
    const Affine a = sampling_affine(view, 5, 3, 3, 5);  // the output is the image on its side
    for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 3; ++i) {
            EXPECT_EQ(apply(a, i, j).x, 4 - j);
            EXPECT_EQ(apply(a, i, j).y, i);
        }
}

TEST(View, TranslateMovesTheCentreByThatManySamples) {
    View view;
    view.translate_x = 12.5;
    view.translate_y = -3.25;
    view.scale = 0.125;
    view.rotate = 33;
    const Point centre = apply(sampling_affine(view, 100, 50, 301, 201), 150, 100);
    EXPECT_NEAR(centre.x, 49.5 + 12.5, 1e-12);
    EXPECT_NEAR(centre.y, 24.5 - 3.25, 1e-12);
}

TEST(View, ScaleAboveOneZoomsOut) {
    View view;
    view.scale = 4;
    EXPECT_EQ(view.zoom(), 0.25);
    const Affine a = sampling_affine(view, 64, 64, 16, 16);
    EXPECT_EQ(apply(a, 1, 0).x - apply(a, 0, 0).x, 4);
    EXPECT_EQ(apply(a, 0, 0).x, 1.5);  // the first of 16 pixels covers samples 0 … 3
}

TEST(View, TheInverseLeadsBackToTheOutputPosition) {
    Random random(2);
    for (int n = 0; n < 1000; ++n) {
        const View view = random_view(random, 300, 200);
        const Affine a = sampling_affine(view, 300, 200, 640, 480);
        const double i = random.between(0, 640), j = random.between(0, 480);
        const Point back = apply_inverse(a, apply(a, i, j));
        const double tolerance = 1e-10 / view.scale;  // positions of up to 20 000 have an ulp of 4e-12
        ASSERT_NEAR(back.x, i, tolerance + 1e-10);
        ASSERT_NEAR(back.y, j, tolerance + 1e-10);
    }
}

// Centers: the outer edges of source and output agree. Both images cover [−½, n − ½) of their space.
TEST(Align, CentersKeepsTheOuterEdges) {
    for (const auto& [source, output] : {std::pair{10, 5}, {10, 25}, {7, 7}, {1, 4}, {4, 1}, {131072, 3}}) {
        const Affine a = aligned_affine(Align::centers, source, source + 3, output, output + 3);
        EXPECT_NEAR(apply(a, -0.5, 0).x, -0.5, 1e-9);
        EXPECT_NEAR(apply(a, output - 0.5, 0).x, source - 0.5, 1e-9);
        EXPECT_NEAR(apply(a, 0, -0.5).y, -0.5, 1e-9);
        EXPECT_NEAR(apply(a, 0, output + 2.5).y, source + 2.5, 1e-9);
        EXPECT_TRUE(a.axis_aligned());
    }
}

TEST(Align, CornersKeepsTheOutermostSamples) {
    for (const auto& [source, output] : {std::pair{10, 5}, {10, 25}, {7, 7}, {1, 4}, {131072, 3}}) {
        const Affine a = aligned_affine(Align::corners, source, source, output, output);
        EXPECT_EQ(apply(a, 0, 0).x, 0);
        EXPECT_NEAR(apply(a, output - 1, 0).x, source - 1, 1e-9);
        EXPECT_NEAR(apply(a, 0, output - 1).y, source - 1, 1e-9);
    }
    EXPECT_EQ(apply(aligned_affine(Align::corners, 8, 5, 1, 1), 0, 0).x, 3.5);  // one pixel reads the centre
    EXPECT_EQ(apply(aligned_affine(Align::corners, 8, 5, 1, 1), 0, 0).y, 2);
}

// The resize article's x·a is a texture coordinate: half an output pixel, a/2 samples, left of the right position.
TEST(Align, OriginIsOffByHalfAnOutputPixel) {
    for (const auto& [source, output] : {std::pair{10, 5}, {10, 25}, {7, 7}}) {
        const double a = double(source) / output;
        const Affine origin = aligned_affine(Align::origin, source, source, output, output);
        const Affine right = aligned_affine(Align::centers, source, source, output, output);
        for (int i = 0; i < output; ++i) {
            EXPECT_NEAR(apply(origin, i, 0).x, i * a - 0.5, 1e-12);
            EXPECT_NEAR(apply(origin, i, i).y, i * a - 0.5, 1e-12);
            EXPECT_NEAR(apply(right, i, 0).x - apply(origin, i, 0).x, a / 2, 1e-12);
        }
    }
}

// Each position numerator(k) / denominator must read the nearest sample, the right one of two that are equally near;
// computed in whole numbers, which are exact.
template <class Numerator>
void expect_nearest(double step, double start, long long count, long long denominator, Numerator numerator) {
    long long wrong = 0;
    double farthest = 0;
    for (long long k = 0; k < count; ++k) {
        const double x = step * double(k) + start;
        wrong += std::floor(x + 0.5) != double((2 * numerator(k) + denominator) / (2 * denominator));
        const long double exact = (long double)(numerator(k)) / (long double)(denominator);
        farthest = std::max(farthest, double(std::abs(exact - (long double)(x))));
    }
    ASSERT_EQ(wrong, 0);
    ASSERT_LE(farthest, tolerance::position);
}

TEST(Align, TiesBetweenTwoSamplesAreDecidedAsInWholeNumbers) {
    Random random(3);
    for (int pair = 0; pair < 64 * 64 + 60; ++pair) {
        const bool all = pair < 64 * 64;
        const long long n = all ? pair / 64 + 1 : random.integer(1, 100000),
                        pixels = all ? pair % 64 + 1 : random.integer(1, 100000);
        const auto axis = [&](Align align) { return aligned_affine(align, int(n), 1, int(pixels), 1); };
        const Affine centers = axis(Align::centers), origin = axis(Align::origin), corners = axis(Align::corners);
        const std::string pair_text = std::to_string(n) + " to " + std::to_string(pixels);
        SCOPED_TRACE(pair_text);
        expect_nearest(centers.xx, centers.x0, pixels, 2 * pixels,
                       [&](long long k) { return (2 * k + 1) * n - pixels; });
        expect_nearest(origin.xx, origin.x0, pixels, 2 * pixels, [&](long long k) { return 2 * k * n - pixels; });
        if (pixels > 1)
            expect_nearest(corners.xx, corners.x0, pixels, pixels - 1, [&](long long k) { return k * (n - 1); });
        if (HasFatalFailure()) return;
    }
}

// Axes have up to 2²³ samples; the positions are at the ends and some between.
TEST(Align, TiesOfVeryLargeImagesToo) {
    Random random(4);
    for (int pair = 0; pair < 400; ++pair) {
        const long long n = random.integer(1 << 18, 1 << 23), pixels = n / 8 * random.integer(1, 30) / 7;
        const Affine a = aligned_affine(Align::centers, int(n), 1, int(pixels), 1);
        for (int place = 0; place < 2000; ++place) {
            const long long k = place < 500    ? place
                                : place < 1000 ? pixels - 1 - (place - 500)
                                               : random.integer(0, int(pixels - 1));
            ASSERT_EQ(std::floor(apply(a, double(k), 0).x + 0.5), double((2 * k + 1) * n / (2 * pixels)))
                << n << " to " << pixels << ", pixel " << k;
        }
    }
}

TEST(Align, OnePixelIsAsWideAsTheImage) {
    for (const Align align : {Align::centers, Align::corners}) EXPECT_EQ(aligned_affine(align, 8, 5, 1, 1).xx, 8);
    EXPECT_EQ(aligned_affine(Align::corners, 8, 5, 1, 5), (Affine{8, 0, 3.5, 0, 1, 0}));
}

TEST(Align, EqualSizesAreTheIdentityButForOrigin) {
    EXPECT_EQ(aligned_affine(Align::centers, 9, 7, 9, 7), Affine{});
    EXPECT_EQ(aligned_affine(Align::corners, 9, 7, 9, 7), Affine{});
    EXPECT_EQ(apply(aligned_affine(Align::origin, 9, 7, 9, 7), 0, 0).x, -0.5);
}

// Address modes, against definitions slow enough to be obviously right.

// Sample numbers of the row of n extended to [−reach, n + reach), built by laying copies side by side.
std::vector<int> extended_row(AddressMode mode, int n, int reach) {
    std::vector<int> row(n);
    for (int i = 0; i < n; ++i) row[i] = i;
    std::vector<int> result(n + 2 * reach);
    for (int i = 0; i < int(result.size()); ++i) {
        int index = i - reach;
        if (mode == AddressMode::clamp) {
            while (index < 0) ++index;
            while (index >= n) --index;
        } else if (mode == AddressMode::border) {
            if (index < 0 || index >= n) index = -1;
        } else if (mode == AddressMode::wrap) {
            while (index < 0) index += n;
            while (index >= n) index -= n;
        } else if (mode == AddressMode::mirror) {
            while (index < 0 || index >= n) index = index < 0 ? -1 - index : 2 * n - 1 - index;  // reflect at the edge
        } else {
            while (n > 1 && (index < 0 || index >= n)) index = index < 0 ? -index : 2 * (n - 1) - index;
            if (n == 1) index = 0;
        }
        result[i] = index < 0 ? -1 : row[index];
    }
    return result;
}

TEST(Address, EveryModeExtendsARowAsItsDefinitionSays) {
    for (const AddressMode mode : all_address_modes)
        for (const int n : {1, 2, 3, 5, 8, 13}) {
            constexpr int reach = 60;
            const std::vector<int> expected = extended_row(mode, n, reach);
            for (int i = -reach; i < n + reach; ++i)
                ASSERT_EQ(addressed(mode, i, n), expected[i + reach]) << name_of(mode) << " i=" << i << " n=" << n;
        }
}

TEST(Address, MirrorRepeatsTheEdgeSampleAndWrapDoesNot) {
    const int n = 4;
    EXPECT_EQ(addressed(AddressMode::mirror, -1, n), 0);
    EXPECT_EQ(addressed(AddressMode::mirror, -2, n), 1);
    EXPECT_EQ(addressed(AddressMode::mirror, 4, n), 3);
    EXPECT_EQ(addressed(AddressMode::mirror, 8, n), 0);  // period 2n
    EXPECT_EQ(addressed(AddressMode::wrap, -1, n), 3);
    EXPECT_EQ(addressed(AddressMode::wrap, 4, n), 0);
}

// BORDER_REFLECT_101 in OpenCV's documentation: gfedcb|abcdefgh|gfedcba.
TEST(Address, Reflect101RepeatsNoEdgeSample) {
    const std::string_view expected = "gfedcbabcdefghgfedcba", row = "abcdefgh";
    for (int i = 0; i < int(expected.size()); ++i)
        EXPECT_EQ(row[size_t(addressed(AddressMode::reflect101, i - 6, 8))], expected[size_t(i)]) << i - 6;
    EXPECT_EQ(addressed(AddressMode::reflect101, 14, 8), 0);  // period 2n − 2
    EXPECT_EQ(period_of(AddressMode::reflect101, 8), 14);
    for (const int i : {-7, -1, 1, 2, 1000}) EXPECT_EQ(addressed(AddressMode::reflect101, i, 1), 0);
    for (const int i : {-7, -2, 2, 3, 1001}) EXPECT_EQ(addressed(AddressMode::reflect101, i, 2), std::abs(i) % 2);
}

// Indices as far as int goes, and rows as long as images can be: no overflow.
TEST(Address, IndicesAtTheEndsOfIntAreRight) {
    for (const int n : {1, 2, 3, 1000, 131072, INT_MAX - 1, INT_MAX})
        for (const int i : {INT_MIN, INT_MIN + 1, -1'000'000'007, 1'000'000'007, INT_MAX - 1, INT_MAX}) {
            const long long long_i = i, period = 2LL * n;
            const long long wrapped = ((long_i % n) + n) % n, in_period = ((long_i % period) + period) % period;
            EXPECT_EQ(addressed(AddressMode::clamp, i, n), i < 0 ? 0 : i >= n ? n - 1 : i);
            EXPECT_EQ(addressed(AddressMode::border, i, n), i < 0 || i >= n ? -1 : i);
            EXPECT_EQ(addressed(AddressMode::wrap, i, n), wrapped);
            EXPECT_EQ(addressed(AddressMode::mirror, i, n), in_period < n ? in_period : period - 1 - in_period);
            const long long whole = n > 1 ? period - 2 : 1, in_whole = ((long_i % whole) + whole) % whole;
            EXPECT_EQ(addressed(AddressMode::reflect101, i, n), in_whole < n ? in_whole : whole - in_whole);
        }
}

TEST(Address, EveryModeLeavesStoredSamplesAlone) {
    for (const AddressMode mode : all_address_modes)
        for (int i = 0; i < 100; ++i) EXPECT_EQ(addressed(mode, i, 100), i);
}

}  // namespace
}  // namespace texelscope::test
