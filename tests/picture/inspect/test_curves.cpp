// The curves of the methods: against closed forms, and the measured ones against the weight functions in float64.

#include "app/picture/inspect/curves.h"

#include <cmath>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "app/picture/inspect/method_curves.h"
#include "tests/support/backends.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

double sinc(double f) { return f == 0 ? 1 : std::sin(std::numbers::pi * f) / (std::numbers::pi * f); }

TEST(Curves, TheWeightFunctionOfBilinearIsATriangle) {
    const CurvesReport::Curve curve = weight_curve(spec_of("bilinear"), -2, 2, 401);
    ASSERT_EQ(curve.x.size(), 401u);
    for (size_t k = 0; k < curve.x.size(); ++k) EXPECT_NEAR(curve.y[k], std::max(0.0, 1 - std::abs(curve.x[k])), 1e-15);
}

TEST(Curves, NearestJumpsAtOneX) {
    const CurvesReport::Curve curve = weight_curve(spec_of("nearest"), -1, 1, 100);
    for (size_t k = 1; k < curve.x.size(); ++k) {
        if (curve.y[k] != curve.y[k - 1]) {
            EXPECT_EQ(curve.x[k], curve.x[k - 1]);
        }
        if (std::abs(std::abs(curve.x[k]) - 0.5) > 1e-9) {
            EXPECT_EQ(curve.y[k], std::abs(curve.x[k]) < 0.5 ? 1 : 0);
        }
    }
}

// Unser 1999: sinc⁴ without prefilter, over (2 + cos 2πf) / 3 with the exact one.
TEST(Curves, SpectraOfTheCubicBSpline) {
    const auto plain = spectrum_curve(spec_of("bspline:prefilter=none"), 0, 0.9, 91),
               exact = spectrum_curve(spec_of("bspline:prefilter=iir"), 0, 0.9, 91),
               fir = spectrum_curve(spec_of("bspline:prefilter=fir15"), 0, 0.9, 91);
    for (size_t k = 0; k < plain.x.size(); ++k) {
        const double f = plain.x[k], gain = std::pow(sinc(f), 4),
                     sampled = (2 + std::cos(2 * std::numbers::pi * f)) / 3;
        EXPECT_NEAR(plain.y[k], 20 * std::log10(gain), 1e-9);
        EXPECT_NEAR(exact.y[k], 20 * std::log10(gain / sampled), 1e-9);
        // 2 √3 |z|⁸ / (1 − |z|) is left out of a response that is 1 at least: 1.3e-4, 0.0011 dB; so is the
        // normalisation.
        EXPECT_NEAR(fir.y[k], exact.y[k], 0.0025);
        if (k > 20) {
            EXPECT_NE(fir.y[k], exact.y[k]);
        }
    }
}

class MeasuredCurve : public OnMethod {
protected:
    // At distance x from a column of ones. Of a polar method: all weights of the column, over all weights.
    double of_column(const MethodCurves& curves, double x) const {
        if (!is_polar(method())) return curves.cardinal(x);
        const auto column = [&](double distance) {
            double sum = 0;
            for (int j = -4; j <= 4; ++j) sum += curves.weight(std::hypot(distance, j));
            return sum;
        };
        double all = 0;
        for (int k = -5; k <= 5; ++k) all += column(x - std::floor(x) + k);
        return column(x) / all;
    }

    // At positions of a jump the float32 position decides.
    static bool at_a_jump(const MethodInfo& method, double x) {
        const double edge = x + 0.5 * method.taps;
        return method.smoothness < 0 && std::abs(edge - std::round(edge)) < 1e-6;
    }
};

TEST_P(MeasuredCurve, TheKernelIsTheWeightFunctionWithItsPrefilter) {
    MeasuredCurves measured(backend_);
    for (const Prefilter& prefilter : all_prefilters(method())) {
        MethodSpec settings = spec();
        settings.prefilter = prefilter;
        const MethodCurves expected(settings);
        const CurvesReport::Curve curve = measured.impulse(settings, -4, 4, 333);
        for (size_t k = 0; k < curve.x.size(); ++k)
            if (!at_a_jump(method(), curve.x[k])) {
                ASSERT_NEAR(curve.y[k], of_column(expected, curve.x[k]), exact_tolerance(settings))
                    << to_string(settings) << " at " << curve.x[k];
            }
    }
}

TEST_P(MeasuredCurve, TheStepIsTheSumOfTheKernelsOfItsSamples) {
    MeasuredCurves measured(backend_);
    const MethodCurves expected(spec());
    const CurvesReport::Curve curve = measured.step(spec(), -6, 6, 101);
    for (size_t k = 0; k < curve.x.size(); ++k) {
        if (at_a_jump(method(), curve.x[k])) continue;
        double sum = 0;
        for (int sample = 0; sample <= 32; ++sample) sum += of_column(expected, curve.x[k] - sample);
        ASSERT_NEAR(curve.y[k], sum, tolerance::exact_path) << curve.x[k];
    }
}

ON_EVERY_BACKEND_AND_METHOD(MeasuredCurve, exact_paths());

class MeasuredOnHardware : public OnBackend {};

// 8-bit fractions: bilinear's kernel is a staircase of 256 steps each side, half a step at most from the triangle.
TEST_P(MeasuredOnHardware, BilinearIsAStaircase) {
    MeasuredCurves measured(backend_);
    const CurvesReport::Curve curve = measured.impulse(spec_of("bilinear:path=hardware"), 0, 1, 8001);
    std::set<double> levels(curve.y.begin(), curve.y.end());
    EXPECT_LE(levels.size(), 257u);
    EXPECT_GE(levels.size(), 256u);
    for (size_t k = 0; k < curve.x.size(); ++k)
        EXPECT_NEAR(curve.y[k], 1 - curve.x[k], tolerance::hardware_fraction + 1e-5);
}

ON_EVERY_BACKEND(MeasuredOnHardware);

}  // namespace
}  // namespace texelscope::test
