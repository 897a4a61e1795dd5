// Which polynomials a method reproduces, and which it does not: its approximation order. Samples p(k) go through the
// exact prefilter and are weighted with the weight function; all in float64.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/method/polar_method.h"
#include "tests/method/cases.h"

namespace texelscope::test {
namespace {

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

// Σ b(m) w(k − m): the result at sample k for an impulse at 0.
std::vector<double> impulse_at_samples(const Case& one, bool prefiltered) {
    constexpr int reach = 60, shown = 20;
    std::vector<double> response(2 * reach + 1, 0.0);
    if (prefiltered) response = exact_response(*one.method, reach);
    else response[reach] = 1;
    std::vector<double> result;
    for (int k = -shown; k <= shown; ++k) {
        double sum = 0;
        for (int m = -reach; m <= reach; ++m) sum += response[size_t(m + reach)] * one.weight(k - m);
        result.push_back(sum);
    }
    return result;
}

double distance_from_impulse(const std::vector<double>& values) {
    double worst = 0;
    for (size_t i = 0; i < values.size(); ++i)
        worst = std::max(worst, std::abs(values[i] - (i == values.size() / 2 ? 1 : 0)));
    return worst;
}

TEST(Interpolation, PassesThroughTheSamplesInExactlyTheMethodsThatSaySo) {
    for_every_case([](const Case& one) {
        const double off = distance_from_impulse(impulse_at_samples(one, true));
        if (one.method->interpolating) {
            EXPECT_LT(off, 1e-13);  // for any parameters
        } else if (one.standard()) {
            EXPECT_GT(off, 1e-2);
        }
    });
}

TEST(Interpolation, OfMethodsWithAPrefilterMissesTheSamplesWithoutIt) {
    for_every_case([](const Case& one) {
        if (one.method->has_prefilter()) {
            EXPECT_GT(distance_from_impulse(impulse_at_samples(one, false)), 1e-2);
        }
    });
}

}  // namespace
}  // namespace texelscope::test
