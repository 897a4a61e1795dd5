// Facts about weight functions, for every method in the registry and a range of its parameters.

#include <gtest/gtest.h>

#include <cmath>

#include "gpu/method/polar_method.h"
#include "tests/method/cases.h"
#include "tests/support/tolerances.h"
#include "tests/support/weight_functions.h"

namespace texelscope::test {
namespace {

constexpr int phases = 500;

TEST(Weights, AreThoseOfTheFormulas) {
    for_every_case([](const Case& one) {
        const auto formula = reference::formula_of(*one.method, one.parameters);
        ASSERT_TRUE(formula) << "tests/support/weight_functions.cpp has no formula for it";
        EXPECT_EQ(formula->taps, one.method->taps);
        const double edge = radius_of(*one.method) + 0.25;
        // Polar ones are divided by an integral, a sum of 16 384 terms.
        const double tolerated = (is_polar(*one.method) ? 4 : 1) * tolerance::weight;
        for (int n = 0; n <= phases; ++n) {
            const double x = edge * (2.0 * n / phases - 1);
            ASSERT_NEAR(one.weight(x), formula->weight(x), tolerated) << x;
        }
        for (double knot = -edge + 0.25; knot <= edge; knot += 0.5)
            ASSERT_NEAR(one.weight(knot), formula->weight(knot), tolerated) << knot;
        EXPECT_NEAR(formula->polar_radius, is_polar(*one.method) ? radius_of(*one.method) : 0, 1e-14);
    });
}

TEST(Weights, ThePolesAreThoseOfTheFormulas) {
    for_every_case([](const Case& one) {
        const auto formula = reference::formula_of(*one.method, one.parameters);
        ASSERT_TRUE(formula);
        ASSERT_EQ(formula->poles.size(), one.method->poles.size());
        for (size_t i = 0; i < formula->poles.size(); ++i) EXPECT_NEAR(one.method->poles[i], formula->poles[i], 1e-14);
    });
}

TEST(Weights, SumToOneAtEveryPhase) {
    for_every_case([](const Case& one) {
        if (is_polar(*one.method)) return;
        for (int n = 0; n < phases; ++n) {
            const double phase = double(n) / phases;
            double sum = 0;
            for (int k = -one.method->taps; k <= one.method->taps; ++k) sum += one.weight(phase - k);
            ASSERT_NEAR(sum, 1, tolerance::weight) << phase;
        }
    });
}

// Before they are normalised; the deviation is part of these weight functions, as their authors chose them.
TEST(Weights, OfPolarMethodsSumToNearlyOneInThePlane) {
    for_every_case([](const Case& one) {
        if (!is_polar(*one.method)) return;
        for (int m = 0; m < 20; ++m)
            for (int n = 0; n < 20; ++n) {
                double sum = 0;
                for (int j = -5; j <= 5; ++j)
                    for (int i = -5; i <= 5; ++i) sum += one.weight(std::hypot(m / 20.0 - i, n / 20.0 - j));
                ASSERT_NEAR(sum, 1, 0.02) << m << ", " << n;
            }
    });
}

// Not at ±1/2 for nearest, which sends a tie to one side.
TEST(Weights, AreSymmetric) {
    for_every_case([](const Case& one) {
        for (int n = 0; n <= phases; ++n) {
            const double x = (n + 0.37) / phases * (radius_of(*one.method) + 1);
            ASSERT_NEAR(one.weight(x), one.weight(-x), tolerance::weight) << x;
        }
    });
}

TEST(Weights, AreZeroBeyondTheSupport) {
    for_every_case([](const Case& one) {
        const double edge = radius_of(*one.method);
        for (const double beyond : {1e-9, 1e-3, 0.25, 0.5, 1.0, 7.3, 1e6}) {
            EXPECT_EQ(one.weight(edge + beyond), 0) << beyond;
            EXPECT_EQ(one.weight(-edge - beyond), 0) << beyond;
        }
    });
}

// The support is no wider than needed: there is weight right up to its end.
TEST(Weights, AreNotZeroWithinTheSupport) {
    for_every_case([](const Case& one) {
        if (!one.standard()) return;  // the (B, C) family with B = C = 0 has two taps
        const double edge = radius_of(*one.method);
        EXPECT_NE(one.weight(edge - 0.2), 0);
        EXPECT_NE(one.weight(-edge + 0.2), 0);
    });
}

TEST(Weights, OfInterpolatingMethodsWithoutPrefilterAreOneAtZeroAndZeroAtOtherIntegers) {
    for_every_case([](const Case& one) {
        if (!one.method->interpolating || one.method->has_prefilter()) return;
        EXPECT_EQ(one.weight(0), 1);
        for (int k = 1; k <= one.method->taps; ++k) {
            EXPECT_EQ(one.weight(k), 0) << k;
            EXPECT_EQ(one.weight(-k), 0) << k;
        }
    });
}

TEST(Weights, OfNearestGiveATieToTheSampleAbove) {
    const MethodInfo* nearest = find_method("nearest");
    ASSERT_NE(nearest, nullptr);
    EXPECT_EQ(nearest->weight(-0.5, {}), 1);  // x = k − 1/2: floor(x + 1/2) = k
    EXPECT_EQ(nearest->weight(0.5, {}), 0);
}

// Members of the families that have another name as well.
TEST(Weights, OfDifferentMethodsAgreeWhereTheyAreTheSameFunction) {
    const std::pair<std::string_view, std::string_view> same[] = {{"bicubic:a=-0.5", "catmull-rom"},
                                                                  {"bc:b=0,c=0.5", "catmull-rom"},
                                                                  {"bc:b=1,c=0", "bspline"},
                                                                  {"bc:b=0,c=0.75", "bicubic"},
                                                                  {"bc", "mitchell"},
                                                                  {"bc:b=0,c=0", "hermite"},
                                                                  {"bicubic:a=0", "hermite"}};
    for (const auto& [a, b] : same) {
        const Case one = case_of(a), other = case_of(b);
        for (int n = -phases; n <= phases; ++n) {
            const double x = 2.5 * n / phases;
            ASSERT_NEAR(one.weight(x), other.weight(x), tolerance::weight) << a << " and " << b << " at " << x;
        }
    }
}

// A wider Gaussian is lower at its middle, and between 0.4 and 0.8 its standard deviation is the parameter's.
TEST(Weights, OfTheGaussianHaveTheStandardDeviationThatWasAskedFor) {
    double last = 2;
    for (const double sigma : {0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0}) {
        const Case one = case_of("gaussian:sigma=" + std::to_string(sigma));
        EXPECT_LT(one.weight(0), last);
        last = one.weight(0);
        double mass = 0, moment = 0;
        for (int n = -4000; n <= 4000; ++n) {
            const double x = n / 1000.0;
            mass += one.weight(x);
            moment += x * x * one.weight(x);
        }
        const double tolerated = sigma < 0.5 ? 0.07 : 0.02;  // the normalisation distorts narrow ones
        EXPECT_NEAR(std::sqrt(moment / mass), sigma, tolerated * sigma) << sigma;
    }
}

}  // namespace
}  // namespace texelscope::test
