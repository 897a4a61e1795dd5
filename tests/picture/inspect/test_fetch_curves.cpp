// g(t) and h(t): against closed forms, and against the fetches that the methods really make.

#include "app/picture/inspect/fetch_curves.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/method/cases.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

// Unser 1999, eq. 4, at the distances 1 + t, t, 1 − t, 2 − t; Sigg & Hadwiger 2005.
TEST(FetchCurves, OfTheCubicBSplineAreTwoPairs) {
    const auto fetches = fetch_curves(spec_of("bspline:path=hardware"), 0, 1, 101);
    ASSERT_EQ(fetches.size(), 2u);
    for (size_t k = 0; k < 101; ++k) {
        const double t = double(k) / 100, u = 1 - t, w0 = u * u * u / 6, w1 = (3 * t * t * t - 6 * t * t + 4) / 6,
                     w2 = (3 * u * u * u - 6 * u * u + 4) / 6, w3 = t * t * t / 6;
        for (const auto& fetch : fetches) {
            ASSERT_NEAR(fetch.weight.x[k], t, 1e-15);
            ASSERT_NEAR(fetch.place.x[k], t, 1e-15);
        }
        EXPECT_NEAR(fetches[0].weight.y[k], w0 + w1, 1e-15) << t;
        EXPECT_NEAR(fetches[0].place.y[k], -1 + w1 / (w0 + w1), 2e-15) << t;
        EXPECT_NEAR(fetches[1].weight.y[k], w2 + w3, 1e-15) << t;
        EXPECT_NEAR(fetches[1].place.y[k], 1 + w3 / (w2 + w3), 2e-15) << t;
    }
}

// Keys 1981, a = −1/2: the outer weights are −t (1 − t)² / 2 and −t² (1 − t) / 2, the middle ones are 1 minus these.
TEST(FetchCurves, OfCatmullRomAreAPairBetweenTwoThatStandAlone) {
    const auto fetches = fetch_curves(spec_of("catmull-rom:path=hardware"), 0, 1, 101);
    ASSERT_EQ(fetches.size(), 3u);
    for (size_t k = 0; k < 101; ++k) {
        const double t = double(k) / 100, u = 1 - t, middle = 1 + t * u / 2;
        EXPECT_NEAR(fetches[0].weight.y[k], -t * u * u / 2, 1e-15) << t;
        EXPECT_NEAR(fetches[1].weight.y[k], middle, 1e-15) << t;
        EXPECT_NEAR(fetches[2].weight.y[k], -t * t * u / 2, 1e-15) << t;
        EXPECT_EQ(fetches[0].place.y[k], -1);
        EXPECT_NEAR(fetches[1].place.y[k], t * (1 + 4 * t - 3 * t * t) / 2 / middle, 1e-15) << t;
        EXPECT_EQ(fetches[2].place.y[k], 2);
    }
}

TEST(FetchCurves, BilinearIsOneFetchRightAtThePositionAndNearestNone) {
    const auto fetches = fetch_curves(spec_of("bilinear:path=hardware"), 0, 1, 65);
    ASSERT_EQ(fetches.size(), 1u);
    for (size_t k = 0; k < 65; ++k) {
        EXPECT_NEAR(fetches[0].weight.y[k], 1, 1e-15);
        EXPECT_NEAR(fetches[0].place.y[k], double(k) / 64, 1e-15);
    }
    EXPECT_TRUE(fetch_curves(spec_of("nearest:path=hardware"), 0, 1, 65).empty());
}

TEST(FetchCurves, StayWithinTheFraction) {
    for (const auto& fetch : fetch_curves(spec_of("bspline:path=hardware"), -3, 0.5, 51)) {
        EXPECT_EQ(fetch.weight.x.front(), 0);
        EXPECT_EQ(fetch.place.x.back(), 0.5);
    }
}

// What the method's own code does on the path, in float32; tests/method/test_taps.cpp has its weights right to 2⁻²².
TEST(FetchCurves, AreTheFetchesOfEveryMethod) {
    constexpr int points = 33;
    for_every_case([](const Case& one) {
        MethodSpec spec = default_spec(*one.method);
        spec.parameters = one.parameters;
        const auto curves = fetch_curves(spec, 0, 1, points);
        ASSERT_EQ(curves.size(), one.fetches(0).size());
        int next = one.first_tap();
        for (const auto& curve : curves) {
            ASSERT_EQ(curve.first, next);
            next += curve.taps;
        }
        if (!curves.empty()) {
            ASSERT_EQ(next, one.first_tap() + one.method->taps) << "taps that no fetch carries";
        }
        for (size_t k = 0; k + 1 < points && !curves.empty(); ++k) {
            const auto fetches = one.fetches(float(k) / (points - 1));
            double sum = 0;
            for (size_t i = 0; i < curves.size(); ++i) {
                const double g = curves[i].weight.y[k], h = curves[i].place.y[k];
                sum += g;
                ASSERT_NEAR(g, fetches[i].weight, 1e-6) << "g" << i << " at " << curves[i].weight.x[k];
                const bool lost = std::abs(g) < 1e-3;  // float32 has few digits of such a weight's two parts
                if (!lost) {
                    ASSERT_NEAR(h, fetches[i].offset, 1e-6 + 1e-6 / std::abs(g)) << "h" << i << " at " << k;
                }
                ASSERT_GE(h, curves[i].first);
                ASSERT_LE(h, curves[i].first + curves[i].taps - 1);
            }
            ASSERT_NEAR(sum, 1, 1e-12) << k;
        }
    });
}

}  // namespace
}  // namespace texelscope::test
