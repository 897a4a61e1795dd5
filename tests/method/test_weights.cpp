// Facts about weight functions, for every method in the registry.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gpu/method/polar_method.h"
#include "tests/method/cases.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// Facts about weight functions, for every method in the registry and a range of its parameters.

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

// Exactly, from their published pieces and definitions.
TEST(Weights, AtKnownPoints) {
    const struct {
        const char* method;
        std::vector<double> at_halves;  // at 0, ½, 1, …
    } table[] = {
        {"quadratic", {3.0 / 4, 1.0 / 2, 1.0 / 8, 0}},
        {"quartic", {115.0 / 192, 11.0 / 24, 19.0 / 96, 1.0 / 24, 1.0 / 384, 0}},
        {"hamming", {1, 0.5, 0}},
        {"mks2013", {17.0 / 16, 5.0 / 8, 0, -1.0 / 8, -1.0 / 32, 0}},
        {"mks2021", {577.0 / 576, 169.0 / 288, 0, -29.0 / 288, 0, 5.0 / 288, 0, -1.0 / 288, -1.0 / 1152, 0}},
    };
    for (const auto& [method, at_halves] : table)
        for (size_t n = 0; n < at_halves.size(); ++n)
            EXPECT_NEAR(case_of(method).weight(double(n) / 2), at_halves[n], 1e-15)
                << method << " at " << double(n) / 2;
    // Before it is divided, Hamming's is the window over a sine.
    const MethodInfo& hamming = *find_method("hamming");
    EXPECT_NEAR(hamming.undivided(0.5, {}) / hamming.undivided(0, {}), 0.54 * 2 / 3.14159265358979324, 1e-15);
}

// What is undivided gives the weights themselves where it is not widened. What is widened has the integral 1: to 1e-5 for
// Hamming, which ends in a kink.
TEST(Weights, OfWidenedFunctionsHaveTheIntegralOne) {
    for_every_case([](const Case& one) {
        if (!one.method->undivided) return;
        const double edge = radius_of(*one.method);
        constexpr int steps = 20'000;
        const auto widened = widened_function(*one.method, one.parameters);
        double integral = 0;
        for (int n = 0; n < steps; ++n) integral += widened(edge * (2 * (n + 0.5) / steps - 1)) * 2 * edge / steps;
        EXPECT_NEAR(integral, 1, one.method->id == "hamming" ? 1e-5 : 1e-6);
        for (int n = 0; n < phases; ++n) {
            double sum = 0;
            for (int k = -one.method->taps; k <= one.method->taps; ++k)
                sum += one.method->undivided(double(n) / phases - k, one.parameters);
            EXPECT_NEAR(one.method->undivided(double(n) / phases, one.parameters) / sum, one.weight(double(n) / phases),
                        1e-14);
        }
    });
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

// How often the weight functions can be differentiated, and that `slope` is the derivative. Derivatives are estimated
// only from values of the weight function.

// Weights of f(offsets[i]) in the derivative of that order at 0: Fornberg 1988, Generation of finite difference
// formulas.
std::vector<double> difference_weights(int order, const std::vector<double>& offsets) {
    const int n = int(offsets.size());
    std::vector<std::vector<double>> w(size_t(order + 1), std::vector<double>(size_t(n), 0.0));
    w[0][0] = 1;
    double product = 1;
    for (int i = 1; i < n; ++i) {
        double next = 1;
        for (int j = 0; j < i; ++j) {
            const double gap = offsets[size_t(i)] - offsets[size_t(j)];
            next *= gap;
            if (j == i - 1)
                for (int d = order; d >= 0; --d)
                    w[size_t(d)][size_t(i)] =
                        product / next *
                        ((d ? d * w[size_t(d - 1)][size_t(j)] : 0.0) - offsets[size_t(j)] * w[size_t(d)][size_t(j)]);
            for (int d = order; d >= 0; --d)
                w[size_t(d)][size_t(j)] =
                    (offsets[size_t(i)] * w[size_t(d)][size_t(j)] - (d ? d * w[size_t(d - 1)][size_t(j)] : 0.0)) / gap;
        }
        product = next;
    }
    return w[size_t(order)];
}

// The derivative of that order at x, from nine values on one side of it (side = −1 or 1).
double one_sided_derivative(const Case& one, double x, int order, int side) {
    const double step = side * (order <= 2 ? 1.0 / 256 : 1.0 / 18);  // only polynomials have the higher ones
    std::vector<double> offsets;
    for (int i = 0; i < 9; ++i) offsets.push_back((i + 0.5) * step);
    const std::vector<double> weights = difference_weights(order, offsets);
    double sum = 0;
    for (size_t i = 0; i < offsets.size(); ++i) sum += weights[i] * one.weight(x + offsets[i]);
    return sum;
}

// The largest jump of the derivative of that order, over all positions at which pieces may meet.
double largest_jump(const Case& one, int order) {
    double worst = 0;
    const double radius = radius_of(*one.method);
    std::vector<double> knots = {radius};
    for (double knot = -radius; knot <= radius; knot += 0.5) knots.push_back(knot);
    for (int knot = -int(radius); knot <= radius; ++knot) knots.push_back(knot);
    for (const double knot : knots)
        worst = std::max(
            worst, std::abs(one_sided_derivative(one, knot, order, 1) - one_sided_derivative(one, knot, order, -1)));
    return worst;
}

TEST(Smoothness, AtLeastThatManyDerivativesAreContinuous) {
    for_every_case([](const Case& one) {
        for (int order = 0; order <= one.method->smoothness; ++order)
            EXPECT_LT(largest_jump(one, order), 1e-5) << order;
    });
}

// For all parameters together: some members of a family are smoother than the family.
TEST(Smoothness, TheNextDerivativeJumps) {
    std::map<std::string_view, double> jump;
    for (const Case& one : all_cases())
        jump[one.method->id] = std::max(jump[one.method->id], largest_jump(one, one.method->smoothness + 1));
    for (const auto& [id, largest] : jump) EXPECT_GT(largest, 1e-3) << id;
}

TEST(Slope, IsThereExactlyWhereTheWeightFunctionIsContinuouslyDifferentiable) {
    for (const MethodInfo* method : all_methods())
        EXPECT_EQ(method->slope != nullptr, method->smoothness >= 1 && !is_polar(*method)) << method->id;
}

TEST(Slope, IsTheDerivativeOfTheWeightFunction) {
    std::vector<double> offsets;
    for (int i = -3; i <= 3; ++i) offsets.push_back(i / 1024.0);
    const std::vector<double> weights = difference_weights(1, offsets);
    for_every_case([&](const Case& one) {
        if (!one.method->slope) return;
        for (double x = -one.method->taps / 2.0 - 0.5 + 1.0 / 128; x < one.method->taps / 2.0 + 0.5; x += 1.0 / 64) {
            double derivative = 0;  // over a piece: x is at least 4/1024 from any knot
            for (size_t i = 0; i < offsets.size(); ++i) derivative += weights[i] * one.weight(x + offsets[i]);
            ASSERT_NEAR(one.slope(x), derivative, 1e-11) << x;
        }
    });
}

TEST(Slope, IsContinuousAtTheKnotsAndZeroBeyondTheSupport) {
    for_every_case([](const Case& one) {
        if (!one.method->slope) return;
        const double edge = one.method->taps / 2.0;
        for (double knot = -edge; knot <= edge; knot += 0.5) {
            ASSERT_NEAR(one.slope(knot), one.slope(knot - 1e-9), 1e-6) << knot;
            ASSERT_NEAR(one.slope(knot), one.slope(knot + 1e-9), 1e-6) << knot;
        }
        for (const double beyond : {0.0, 1e-6, 0.3, 5.0}) {
            EXPECT_NEAR(one.slope(edge + beyond), 0, 1e-15) << beyond;
            EXPECT_NEAR(one.slope(-edge - beyond), 0, 1e-15) << beyond;
        }
    });
}

// The gradient of a constant is zero, and that of a ramp is one in the methods that reproduce it.
TEST(Slope, OfConstantsIsZeroAndOfRampsOne) {
    for_every_case([](const Case& one) {
        if (!one.method->slope) return;
        for (int n = 0; n < 100; ++n) {
            double constant = 0, ramp = 0;
            for (int k = -one.method->taps; k <= one.method->taps; ++k) {
                constant += one.slope(n / 100.0 - k);
                ramp += k * one.slope(n / 100.0 - k);
            }
            ASSERT_NEAR(constant, 0, 1e-12);
            if (one.method->order >= 2 && one.standard()) {
                ASSERT_NEAR(ramp, 1, 1e-12);
            }
        }
    });
}

// Which polynomials a method reproduces, and which it does not: its approximation order. Samples p(k) go through the
// exact prefilter and are weighted with the weight function; all in float64.

// The weight of samples at distance x along one axis; of a polar method, of a whole column, over all of them.
double weight_of_column(const Case& one, double x) {
    if (!is_polar(*one.method)) return one.weight(x);
    const auto column = [&](double distance) {
        double sum = 0;
        for (int j = -5; j <= 5; ++j) sum += one.weight(std::hypot(distance, j + 0.37));
        return sum;
    };
    double all = 0;
    for (int k = -5; k <= 5; ++k) all += column(x - std::floor(x) + k);
    return column(x) / all;
}

constexpr double reproduced = 1e-10, missed = 1e-4;

// max |Σ c(k) w(x − k) − x^degree| over x in [0, 1), where c are the coefficients of the samples k^degree.
double error_of_degree(const Case& one, int degree, bool prefiltered) {
    constexpr int reach = 110;  // |z|^110 · 110⁷ < 1e-15 for the slowest pole
    std::vector<double> response(2 * reach + 1, 0.0);
    if (prefiltered) response = exact_response(*one.method, reach);
    else response[reach] = 1;
    const int taps = one.method->taps;
    std::vector<double> coefficients;
    for (int k = -taps; k <= taps; ++k) {
        double c = 0;
        for (int m = -reach; m <= reach; ++m) c += response[size_t(m + reach)] * std::pow(k - m, degree);
        coefficients.push_back(c);
    }
    double worst = 0;
    for (int n = 0; n < 64; ++n) {
        const double x = n / 64.0;
        double value = 0;
        for (int k = -taps; k <= taps; ++k) value += coefficients[size_t(k + taps)] * weight_of_column(one, x - k);
        worst = std::max(worst, std::abs(value - std::pow(x, degree)));
    }
    return worst;
}

// The number of degrees 0, 1, … that are reproduced before the first that is not.
int measured_order(const Case& one, bool prefiltered) {
    for (int degree = 0; degree < 9; ++degree) {
        const double error = error_of_degree(one, degree, prefiltered);
        if (error < reproduced) continue;
        EXPECT_GT(error, missed) << "degree " << degree << " is neither reproduced nor clearly missed";
        return degree;
    }
    return 9;
}

TEST(Reproduction, GoesUpToOneDegreeBelowTheOrderAndNoFurther) {
    for_every_case([](const Case& one) {
        if (!one.standard()) return;
        EXPECT_EQ(measured_order(one, true), one.method->order);
    });
}

TEST(Reproduction, WithoutPrefilterGoesUpToOneDegreeBelowTheUnfilteredOrder) {
    for_every_case([](const Case& one) {
        if (!one.standard()) return;
        EXPECT_EQ(measured_order(one, false), one.method->order_unfiltered);
    });
}

// Keys 1981: only a = −1/2 has order three. Mitchell & Netravali 1988: order two on the line B + 2C = 1.
TEST(Reproduction, OfTheParametricCubicsIsAsTheirAuthorsSay) {
    for (const std::string_view spec : {"bicubic:a=-0.5", "bc:b=0,c=0.5"})
        EXPECT_EQ(measured_order(case_of(spec), true), 3) << spec;
    for (const std::string_view spec : {"bc:b=1,c=0", "bc:b=0.5,c=0.25", "bc:b=0.2,c=0.4"})
        EXPECT_EQ(measured_order(case_of(spec), true), 2) << spec;
    for (const std::string_view spec :
         {"bicubic:a=-1", "bicubic:a=-0.25", "bicubic:a=0", "bc:b=0,c=0", "bc:b=1,c=1", "bc:b=0.2,c=0.3"})
        EXPECT_EQ(measured_order(case_of(spec), true), 1) << spec;
}

}  // namespace
}  // namespace texelscope::test
