// The numbers of the prefilter, for every method that has one: gains, FIR taps, margins; and the recursions on the CPU,
// against float64 mathematics that does not use poles.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gpu/core/errors.h"
#include "gpu/prefilter/prefilter.h"
#include "tests/method/cases.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

const Prefilter iir{Prefilter::Kind::iir};

Prefilter fir(int taps) { return {Prefilter::Kind::fir, taps}; }

// Calls body(method, weight function from the formulas) for each method that has a prefilter.
template <class Body> void for_every_prefiltered(Body body) {
    int count = 0;
    for (const MethodInfo* method : all_methods()) {
        if (!method->has_prefilter()) continue;
        SCOPED_TRACE(method->id);
        const auto formula = reference::formula_of(*method, method->standard_parameters());
        ASSERT_TRUE(formula);
        body(*method, formula->weight);
        ++count;
    }
    EXPECT_GE(count, 5);
}

TEST(PrefilterKernel, PolesAreTheZerosOfTheSampledWeightFunction) {
    for_every_prefiltered([](const MethodInfo& method, const auto& weight) {
        for (const double z : method.poles) {
            double sum = weight(0);
            for (int k = 1; k < method.taps / 2; ++k) sum += weight(k) * (std::pow(z, k) + std::pow(z, -k));
            EXPECT_NEAR(sum / (weight(0) * std::pow(z, 1 - method.taps / 2)), 0, 1e-15) << z;
        }
    });
}

// Convolved with the weight function at the samples it is an impulse.
TEST(PrefilterKernel, TheExactResponseInvertsTheSampledWeightFunction) {
    for_every_prefiltered([](const MethodInfo& method, const auto& weight) {
        constexpr int reach = 60;
        const std::vector<double> b = exact_response(method, reach);
        for (int k = -reach / 2; k <= reach / 2; ++k) {
            double sum = 0;
            for (int m = -reach; m <= reach; ++m) sum += b[size_t(m + reach)] * weight(k - m);
            ASSERT_NEAR(sum, k == 0 ? 1 : 0, 1e-14) << k;
        }
    });
}

// The inverse of its spectrum, by the discrete Fourier transform.
TEST(PrefilterKernel, TheExactResponseIsTheInverseFilterOfFourierAnalysis) {
    for_every_prefiltered([](const MethodInfo& method, const auto& weight) {
        constexpr int n = 128, reach = 30;  // what wraps around has passed 98 samples: |z|^98 < 1e-35
        const std::vector<double> b = exact_response(method, reach);
        for (int k = 0; k <= reach; ++k) {
            double sum = 0;
            for (int f = 0; f < n; ++f) {
                const double omega = 2 * std::numbers::pi * f / n;
                double spectrum = weight(0);
                for (int m = 1; m < method.taps / 2; ++m) spectrum += 2 * weight(m) * std::cos(omega * m);
                sum += std::cos(omega * k) / spectrum / n;
            }
            ASSERT_NEAR(b[size_t(reach + k)], sum, 1e-14) << k;
            ASSERT_EQ(b[size_t(reach - k)], b[size_t(reach + k)]) << k;
        }
    });
}

// Champagnat & Le Sant 2011, eq. 6.
TEST(PrefilterKernel, OfTheCubicBSplineIsRootOfThreeTimesThePowersOfItsPole) {
    const PrefilterKernel kernel = prefilter_kernel(iir, find_method("bspline")->poles);
    EXPECT_EQ(kernel.poles, 1);
    EXPECT_NEAR(kernel.pole[0], std::sqrt(3.0) - 2, 1e-15);
    EXPECT_NEAR(kernel.gain[0], std::sqrt(3.0), 1e-14);
}

TEST(PrefilterKernel, FirTapsAreTheCentralOnesOfTheExactResponseWithSumOne) {
    for_every_prefiltered([](const MethodInfo& method, const auto&) {
        const std::vector<double> poles = method.poles;
        for (int taps = Prefilter::min_taps; taps <= Prefilter::max_taps; taps += 2) {
            const PrefilterKernel kernel = prefilter_kernel(fir(taps), poles);
            EXPECT_FALSE(kernel.recursive);
            ASSERT_EQ(kernel.half_taps, taps / 2);
            const std::vector<double> expected = reference::prefilter_response(poles, fir(taps));
            double sum = 0;
            for (int k = -taps / 2; k <= taps / 2; ++k) {
                sum += kernel.taps[size_t(std::abs(k))];
                ASSERT_NEAR(kernel.taps[size_t(std::abs(k))], expected[size_t(k + taps / 2)], 1e-13)
                    << taps << " taps, " << k;
            }
            EXPECT_NEAR(sum, 1, 3e-15) << taps;
        }
    });
}

TEST(PrefilterKernel, MarginsAreAsLongAsThePoleIsFelt) {
    for_every_prefiltered([](const MethodInfo& method, const auto&) {
        double slowest = 0;
        for (const double z : method.poles) slowest = std::max(slowest, std::abs(z));
        const int margin = coefficient_margin(method.poles);
        EXPECT_LT(std::pow(slowest, margin), 1e-8);
        EXPECT_GE(std::pow(slowest, margin - 4), 1e-8);
        EXPECT_EQ(margin % 4, 0);
        const PrefilterKernel kernel = prefilter_kernel(iir, method.poles);
        EXPECT_LE(std::pow(slowest, kernel.horizon_double), 0x1p-53);
        EXPECT_LE(std::pow(slowest, kernel.horizon_float), 0x1p-26);
        for (const AddressMode mode : all_address_modes)
            EXPECT_EQ(margin_for(mode, method.poles), is_periodic(mode) ? 0 : margin) << name_of(mode);
    });
    EXPECT_EQ(coefficient_margin(find_method("bspline")->poles), 16);  // 14, rounded up to whole vectors
}

TEST(PrefilterKernel, WithoutAPrefilterOrWithoutPolesIsAnError) {
    const std::vector<double> one = find_method("bspline")->poles, none, five = {-0.1, -0.2, -0.3, -0.4, -0.5};
    EXPECT_THROW(prefilter_kernel({Prefilter::Kind::none}, one), Error);
    EXPECT_THROW(prefilter_kernel(iir, none), Error);
    EXPECT_THROW(prefilter_kernel(iir, five), Error);
}

// x of A x = b by Gaussian elimination with pivots.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
    const size_t n = b.size();
    for (size_t i = 0; i < n; ++i) {
        size_t pivot = i;
        for (size_t r = i; r < n; ++r)
            if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
        std::swap(a[i], a[pivot]);
        std::swap(b[i], b[pivot]);
        for (size_t r = i + 1; r < n; ++r) {
            const double factor = a[r][i] / a[i][i];
            for (size_t c = i; c < n; ++c) a[r][c] -= factor * a[i][c];
            b[r] -= factor * b[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t c = i + 1; c < n; ++c) b[i] -= a[i][c] * b[c];
        b[i] /= a[i][i];
    }
    return b;
}

// Coefficients of a repeating signal solve s(l) = Σ c(k) w(l − k), one equation per sample.
TEST(PrefilterKernel, TheRecursionsSolveTheInterpolationEquations) {
    for_every_prefiltered([](const MethodInfo& method, const auto& weight) {
        Random random(91);
        for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror, AddressMode::reflect101})
            for (const int n : {1, 2, 3, 7, 40}) {
                Image samples(n, 1, 1, SampleType::f32);
                std::vector<double> values;
                for (int k = 0; k < n; ++k) values.push_back(samples.row_as<float>(0)[k] = float(random.unit()));
                std::vector<std::vector<double>> equations(size_t(n), std::vector<double>(size_t(n), 0.0));
                for (int l = 0; l < n; ++l)
                    for (int k = l - method.taps; k <= l + method.taps; ++k)
                        equations[size_t(l)][size_t(reference::extended(mode, k, n))] += weight(l - k);
                const std::vector<double> expected = solved(equations, values);

                TexelArray source;
                source.texels = samples.data();
                source.row_bytes = samples.row_bytes();
                source.channels = 1;
                source.width = n;
                source.height = 1;
                source.one_dimensional = true;
                std::vector<float> coefficients(size_t(n), 0.0f);
                TexelArray out = source;
                out.texels = coefficients.data();
                out.row_bytes = coefficients.size() * sizeof(float);
                const PrefilterKernel kernel = prefilter_kernel(iir, method.poles);
                prefilter_on_cpu(source, {mode, mode}, kernel, out, coefficients.data());
                for (int k = 0; k < n; ++k)
                    ASSERT_NEAR(coefficients[size_t(k)], expected[size_t(k)], 5e-7)
                        << n << " samples, " << name_of(mode);
            }
    });
}

// Which methods pass through the samples: with the exact prefilter and without it.

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
            EXPECT_GT(off, 1e-3);
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
