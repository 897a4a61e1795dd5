// How often the weight functions can be differentiated, and that `slope` is the derivative. Derivatives are estimated
// only from values of the weight function.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gpu/method/polar_method.h"
#include "tests/method/cases.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
