// Curves of methods: weights, fetches, spectra.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "app/picture/inspect/curves.h"
#include "gpu/method/custom_method.h"
#include "tests/method/cases.h"
#include "tests/support/backends.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

// The curves of the methods: against closed forms, and the measured ones against the weight functions in float64.

double sinc(double f) { return f == 0 ? 1 : std::sin(std::numbers::pi * f) / (std::numbers::pi * f); }

TEST(Curves, TheWeightFunctionOfBilinearIsATriangle) {
    const CurvesReport::Curve curve = weight_curve(spec_of("bilinear"), -2, 2, 401);
    ASSERT_EQ(curve.x.size(), 401u);
    for (size_t k = 0; k < curve.x.size(); ++k) EXPECT_NEAR(curve.y[k], std::max(0.0, 1 - std::abs(curve.x[k])), 1e-15);
}

// What a list of methods says of a weight function of one's own, and what is said beside its formula: its pieces are within
// a millionth of it, and so are its values at the samples.
TEST(CustomFacts, SayTheSameOfTheSamplesEverywhere) {
    int yes = 0, no = 0, filtered = 0;
    for (const char* text :
         {"radius = 3\nw(x) = sinc(x)*sinc(x/3)", "radius = 8\nw(x) = sinc(x)*sinc(x/8)",
          "radius = 1\nw(x) = 1 - abs(x)", "radius = 2\nw(x) = max(0, 1.3 - abs(x))",
          "radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6",
          "radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6\nprefilter = none"}) {
        const MethodSpec spec = default_spec(custom_method(text));
        std::string fact;
        for (const CustomFact& each : custom_facts(spec))
            if (each.label == "interpolating") fact = each.text;
        EXPECT_EQ(interpolates(spec), fact != "no") << text << ": " << fact;
        EXPECT_EQ(spec.method->interpolating, fact != "no") << text;
        yes += fact == "yes";
        no += fact == "no";
        filtered += fact == "with its prefilter";
    }
    EXPECT_GT(yes, 2);
    EXPECT_GT(no, 0);
    EXPECT_GT(filtered, 0);
}

// Whatever is made of a constant: the weights themselves, added up here at many phases.
TEST(CustomFacts, AConstantThatDoesNotStayOneIsPointedOut) {
    struct Case {
        const char* text;
        const char* said;  // the beginning; empty: nothing
    };
    for (const Case& c : {
             Case{"radius = 1\nw(x) = 1 - abs(x)", ""},
             {"radius = 1\nw(x) = 1.25*(1 - abs(x))\nprefilter = none",
              "The weights sum to 1.25, not to 1: even areas are 25 % too bright."},
             {"radius = 1\nw(x) = 0.5*(1 - abs(x))\nprefilter = none",
              "The weights sum to 0.5, not to 1: even areas are 50 % too dark."},
             {"radius = 1\nw(x) = 1.25*(1 - abs(x))\nnormalise = yes", ""},
             {"radius = 3\nw(x) = sinc(x)*sinc(x/3)", "The weights sum to 0.99"},
             {"radius = 3\nw(x) = sinc(x)*sinc(x/3)\nnormalise = yes", ""},
             {"radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6", ""},
             // The prefilter divides by the sum at the samples, which is that everywhere.
             {"radius = 2\nw(x) = abs(x) < 1 ? 4/3 - 2*x^2 + abs(x)^3 : (2 - abs(x))^3/3", ""},
             {"radius = 2\nw(x) = abs(x) < 1 ? 4/3 - 2*x^2 + abs(x)^3 : (2 - abs(x))^3/3\nprefilter = none",
              "The weights sum to 2, not to 1: even areas are 100 % too bright."},
         }) {
        const MethodSpec spec = default_spec(custom_method(c.text));
        const std::string said = unequal_sum(spec);
        EXPECT_EQ(said.substr(0, std::string(c.said).size()), c.said) << c.text;
        EXPECT_EQ(said.empty(), c.said[0] == 0) << c.text << ": " << said;
        EXPECT_EQ(said.find("The radius cuts"), said.npos) << "they end at 0";
        if (!said.empty() && !spec.method->derives_prefilter) {
            double off = 0;
            for (double t = 0; t < 1; t += 1.0 / 64) {
                double sum = 0;
                for (int k = -4; k <= 4; ++k) sum += spec.method->weight(t + k, spec.parameters);
                off = std::max(off, std::abs(sum - 1));
            }
            EXPECT_GT(off, 1e-3) << c.text;
        }
    }
}

std::string fact_of(const MethodSpec& spec, const std::string& label) {
    for (const CustomFact& fact : custom_facts(spec))
        if (fact.label == label) return fact.text;
    return "";
}

// The cubic B-spline with the taps −1/6, 4/3, −1/6 is a quasi-interpolant: of order 4, though it passes by the samples.
TEST(CustomFacts, OfAStatedPrefilterAreThoseOfItsTaps) {
    const std::string cubic = "radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6\n";
    const MethodSpec quasi = default_spec(custom_method(cubic + "prefilter = taps -1/6, 4/3, -1/6"));
    EXPECT_EQ(fact_of(quasi, "order").substr(0, 2), "4:");
    EXPECT_EQ(quasi.method->order, 4);
    EXPECT_EQ(fact_of(quasi, "without prefilter").substr(0, 2), "2:");
    EXPECT_EQ(fact_of(quasi, "interpolating"), "no");
    EXPECT_FALSE(interpolates(quasi));
    EXPECT_EQ(fact_of(quasi, "stated filter"), "a convolution of 3 taps");
    EXPECT_EQ(fact_of(quasi, "equals"), "");
    const MethodSpec exact = default_spec(custom_method(cubic + "prefilter = poles sqrt(3) - 2"));
    EXPECT_EQ(fact_of(exact, "order"), fact_of(default_spec(custom_method(cubic)), "order"));
    EXPECT_EQ(fact_of(exact, "interpolating"), "with its prefilter");
    EXPECT_EQ(fact_of(exact, "stated filter"), "recursive, pole -0.2679");
    EXPECT_EQ(fact_of(exact, "equals"), "Cubic B-spline");
    const MethodSpec other = default_spec(custom_method(cubic + "prefilter = poles -0.2"));
    EXPECT_EQ(fact_of(other, "interpolating"), "no");
    EXPECT_EQ(other.method->order, 2);
    // (1 − z)² / (1 − 2z cos 2πf + z²), and 4/3 − cos(2πf)/3.
    for (const double f : {0.0, 0.1, 0.25, 0.5}) {
        const double c = std::cos(2 * std::numbers::pi * f);
        EXPECT_NEAR(MethodCurves(other).prefilter_gain(f), 1.44 / (1.04 + 0.4 * c), 1e-12) << f;
        EXPECT_NEAR(MethodCurves(quasi).prefilter_gain(f), 4.0 / 3 - c / 3, 1e-12) << f;
    }
    const MethodSpec loud = default_spec(custom_method(cubic + "prefilter = taps 0.5, 1, 0.5"));
    EXPECT_EQ(unequal_sum(loud),
              "The weights sum to 2, not to 1, with the prefilter: even areas are 100 % too bright.");
}

// Catmull–Rom's inner half, 1 − 5/2 x² + 3/2 |x|³, is 0.5625 at ±0.5: more radius is missing, not normalising.
TEST(CustomFacts, ARadiusThatCutsTheFunctionIsPointedOut) {
    const MethodSpec spec = default_spec(custom_method("radius = 0.5\nw(x) = 1 - 2.5*x^2 + 1.5*abs(x)^3"));
    EXPECT_NE(unequal_sum(spec).find("cuts the function at ±0.5, where it is 0.56"), std::string::npos)
        << unequal_sum(spec);
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

// g(t) and h(t): against closed forms, and against the fetches that the methods really make.

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

// The spectra on docs/methods.md against closed forms, and the conditions on cardinal functions.

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
    for (const auto& [id, power] :
         {std::pair{"nearest", 1}, {"bilinear", 2}, {"quadratic", 3}, {"bspline", 4}, {"quartic", 5}, {"quintic", 6}}) {
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
