// Facts about weight functions, for every method in the registry.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/method/spec.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope {
namespace {

constexpr int phases = 1000;

// Calls body(method, weight function with standard parameters).
template <class Body> void for_every_weight(Body body) {
    for (const MethodInfo* method : all_methods()) {
        SCOPED_TRACE(method->id);
        const MethodParameters parameters = method->standard_parameters();
        body(*method, [&](double x) { return method->weight(x, parameters); });
    }
}

TEST(Weights, SumToOneAtEveryPhase) {
    for_every_weight([](const MethodInfo& method, auto weight) {
        for (int n = 0; n < phases; ++n) {
            const double phase = double(n) / phases;
            double sum = 0;
            for (int k = -method.taps; k <= method.taps; ++k) sum += weight(phase - k);
            ASSERT_NEAR(sum, 1, tolerance::weight) << phase;
        }
    });
}

// Methods of order 2 and more reproduce a ramp: Σ (x − k) w(x − k) = 0.
TEST(Weights, HaveNoFirstMomentWhereTheOrderIsAtLeastTwo) {
    for_every_weight([](const MethodInfo& method, auto weight) {
        if (method.order < 2) return;
        for (int n = 0; n < phases; ++n) {
            const double phase = double(n) / phases;
            double moment = 0;
            for (int k = -method.taps; k <= method.taps; ++k) moment += (phase - k) * weight(phase - k);
            ASSERT_NEAR(moment, 0, 4 * tolerance::weight) << phase;
        }
    });
}

// Not at ±1/2 for nearest, where a tie goes to one side.
TEST(Weights, AreSymmetric) {
    for_every_weight([](const MethodInfo& method, auto weight) {
        for (int n = 0; n <= phases; ++n) {
            const double x = (n + 0.37) / phases * (method.taps / 2.0 + 1);
            ASSERT_EQ(weight(x), weight(-x)) << x;
        }
    });
}

TEST(Weights, AreZeroBeyondTheSupport) {
    for_every_weight([](const MethodInfo& method, auto weight) {
        const double edge = method.taps / 2.0;
        for (const double beyond : {1e-9, 1e-3, 0.25, 0.5, 1.0, 7.3, 1e6}) {
            EXPECT_EQ(weight(edge + beyond), 0) << beyond;
            EXPECT_EQ(weight(-edge - beyond), 0) << beyond;
        }
    });
}

TEST(Weights, OfInterpolatingMethodsWithoutPrefilterAreOneAtZeroAndZeroAtOtherIntegers) {
    for_every_weight([](const MethodInfo& method, auto weight) {
        if (!method.interpolating || method.has_prefilter()) return;
        EXPECT_EQ(weight(0), 1);
        for (int k = 1; k <= method.taps; ++k) EXPECT_EQ(weight(k), 0) << k;
    });
}

TEST(Weights, OfNearestGiveATieToTheSampleAbove) {
    const MethodInfo* nearest = find_method("nearest");
    ASSERT_NE(nearest, nullptr);
    EXPECT_EQ(nearest->weight(-0.5, {}), 1);  // x = k − 1/2: floor(x + 1/2) = k
    EXPECT_EQ(nearest->weight(0.5, {}), 0);
}

TEST(Weights, AreThoseOfTheFormulas) {
    const std::pair<std::string_view, double (*)(double)> formulas[] = {{"nearest", reference::nearest},
                                                                        {"bilinear", reference::linear},
                                                                        {"bspline", reference::cubic_bspline},
                                                                        {"catmull-rom", reference::keys}};
    for (const auto& [id, formula] : formulas) {
        const MethodInfo* method = find_method(id);
        ASSERT_NE(method, nullptr) << id;
        for (int n = -3 * phases; n <= 3 * phases; ++n) {
            const double x = double(n) / phases;
            ASSERT_NEAR(method->weight(x, method->standard_parameters()), formula(x), tolerance::weight) << id << " at " << x;
        }
    }
}

// The reference itself: prefilter and β³ sampled at the integers are inverse to each other.
TEST(Weights, TheReferencePrefilterInvertsTheCubicBSpline) {
    const auto b = reference::prefilter_response({std::sqrt(3.0) - 2}, {Prefilter::Kind::iir});
    const int centre = int(b.size() / 2);
    EXPECT_NEAR(b[centre], std::sqrt(3.0), 1e-14);
    for (int k = -30; k <= 30; ++k) {
        double sum = 0;
        for (int m = -1; m <= 1; ++m) sum += reference::cubic_bspline(m) * b[centre + k - m];
        EXPECT_NEAR(sum, k == 0 ? 1 : 0, 1e-15) << k;
    }
}

}  // namespace
}  // namespace texelscope
