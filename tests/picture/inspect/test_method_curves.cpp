// The spectra on docs/methods.md against closed forms, and the conditions on cardinal functions.

#include "app/picture/inspect/method_curves.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace texelscope::test {
namespace {

double sinc_of(double f) { return f == 0 ? 1 : std::sin(std::numbers::pi * f) / (std::numbers::pi * f); }

const MethodInfo& method(std::string_view id) {
    const MethodInfo* found = find_method(id);
    if (!found) throw std::runtime_error("no method " + std::string(id));
    return *found;
}

// Rounding of a few hundred quadrature terms of at most 1.
constexpr double rounding = 1e-13;

// The spectrum of the B-spline of degree n is sinc_of^(n+1): it is n + 1 boxes convolved (Unser 1999, eq. 3).
TEST(MethodCurves, SpectraOfBSplinesArePowersOfSinc) {
    for (const auto& [id, power] : {std::pair{"nearest", 1}, {"bilinear", 2}, {"bspline", 4}, {"quintic", 6}}) {
        if (!find_method(id)) continue;
        const MethodCurves curves(method(id));
        for (double f = 0; f <= 4; f += 0.01)
            EXPECT_NEAR(curves.spectrum(f), std::pow(sinc_of(f), power), rounding) << id << f;
    }
}

// The cubic B-spline's cardinal spectrum: sinc⁴ over (2 + cos 2πf) / 3 (Unser 1999, eq. 19).
TEST(MethodCurves, CardinalSpectrumOfTheCubicBSpline) {
    const MethodCurves curves(method("bspline"));
    for (double f = 0; f <= 4; f += 0.01)
        EXPECT_NEAR(curves.cardinal_spectrum(f), 3 * std::pow(sinc_of(f), 4) / (2 + std::cos(2 * std::numbers::pi * f)),
                    rounding);
}

// Poisson's sum: a weight function that is 1 at the sample and 0 at all others has Σ φ̂(f + k) = 1 at every f.
TEST(MethodCurves, SpectrumAndItsImagesOfAnInterpolatorSumToOne) {
    for (const MethodInfo* m : all_methods()) {
        if (!m->interpolating || m->smoothness < 1) continue;  // the sum over the others converges too slowly
        const MethodCurves curves(*m);
        for (const double f : {0.0, 0.1, 0.25, 0.5}) {
            double sum = 0;
            for (int k = -3; k <= 3; ++k) sum += curves.cardinal_spectrum(std::abs(f + k));
            EXPECT_NEAR(sum, 1, 2e-3) << m->id << " at " << f;
        }
    }
}

TEST(MethodCurves, CardinalFunctionsAreOneAtTheSampleAndZeroAtAllOthers) {
    for (const MethodInfo* m : all_methods()) {
        if (!m->interpolating) continue;
        const MethodCurves curves(*m);
        for (int k = -8; k <= 8; ++k) EXPECT_NEAR(curves.cardinal(k), k == 0, 1e-9) << m->id << " at " << k;
    }
}

TEST(MethodCurves, AConstantKeepsItsValue) {
    for (const MethodInfo* m : all_methods()) {
        const MethodCurves curves(*m);
        EXPECT_NEAR(curves.cardinal_spectrum(0), 1, 1e-9) << m->id;
    }
}

// sinc_of(1/4) = 2√2/π: −0.91 dB for nearest, twice that for bilinear.
TEST(MethodCurves, FiguresOfTheSimplestMethods) {
    const double quarter = 20 * std::log10(2 * std::numbers::sqrt2 / std::numbers::pi);
    EXPECT_NEAR(spectrum_figures(method("nearest")).passband, quarter, 1e-9);
    EXPECT_NEAR(spectrum_figures(method("bilinear")).passband, 2 * quarter, 1e-9);
    EXPECT_NEAR(spectrum_figures(method("bilinear")).nyquist, 40 * std::log10(2 / std::numbers::pi), 1e-9);
    EXPECT_NEAR(spectrum_figures(method("nearest")).images, 20 * std::log10(sinc_of(0.75)), 1e-9);
}

}  // namespace
}  // namespace texelscope::test
