// What is derived from a weight function, against values that are known from the literature, and against float64 models
// of random piecewise cubics.

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include <gmock/gmock.h>

#include "gpu/weights/weight_facts.h"
#include "gpu/weights/weight_function.h"

namespace texelscope {
namespace {

struct Derived {
    std::vector<FittedPiece> pieces;
    DerivedPrefilter prefilter;
    ApproximationOrder with() const { return approximation_order(pieces, true); }
    ApproximationOrder without() const { return approximation_order(pieces); }
};

Derived derived(const std::function<double(double)>& h, double radius) {
    const int reach = int(std::ceil(radius));
    return {fit_pieces(h, reach, radius), derive_prefilter(h, reach)};
}

Derived derived(const std::string& text) {
    const WeightFunction function(text);
    return derived(function.with({}), function.file().radius);
}

const std::string bspline = "radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6";
const std::string mitchell =
    "radius = 2\nw(x) = abs(x) < 1 ? (7*abs(x)^3 - 12*x^2 + 16/3)/6 : (-7/3*abs(x)^3 + 12*x^2 - 20*abs(x) + 32/3)/6";
const std::string omoms =
    "radius = 2\nw(x) = abs(x) < 1 ? abs(x)^3/2 - x^2 + abs(x)/14 + 13/21 : "
    "-abs(x)^3/6 + x^2 - 85/42*abs(x) + 29/21";

// Thévenaz, Blu & Unser 2000; the constants are those of FIDELITY: to 0.5 %.
TEST(WeightFacts, OrdersPolesAndConstantsOfTheLiterature) {
    const Derived cubic = derived(bspline);
    EXPECT_EQ(cubic.with().order, 4);
    EXPECT_EQ(cubic.without().order, 2);
    EXPECT_NEAR(cubic.with().constant, 1.0 / 384, 1e-5);
    EXPECT_NEAR(cubic.with().l2_constant, 1.660e-3, 1e-5);
    EXPECT_NEAR(cubic.without().constant, 1.0 / 6, 1e-9);
    ASSERT_EQ(cubic.prefilter.filter.poles.size(), 1u);
    EXPECT_NEAR(cubic.prefilter.filter.poles[0], std::sqrt(3.0) - 2, 1e-14);
    EXPECT_EQ(smoothness_of(cubic.pieces), 2);
    EXPECT_EQ(fetches_along_axis(cubic.pieces, 4), 2);

    const Derived moms = derived(omoms);
    ASSERT_EQ(moms.prefilter.filter.poles.size(), 1u);
    EXPECT_NEAR(moms.prefilter.filter.poles[0], (std::sqrt(105.0) - 13) / 8, 1e-13);  // −0.3441
    EXPECT_EQ(moms.with().order, 4);
    EXPECT_NEAR(moms.with().constant, 8.49e-4, 4e-6);
    EXPECT_EQ(smoothness_of(moms.pieces), 0);

    const Derived third = derived(mitchell);
    ASSERT_EQ(third.prefilter.filter.poles.size(), 1u);
    EXPECT_NEAR(third.prefilter.filter.poles[0], -0.0627, 5e-5);
    EXPECT_EQ(third.with().order, 3);
    EXPECT_EQ(third.without().order, 2);
    EXPECT_EQ(smoothness_of(third.pieces), 1);

    const Derived steep = derived(
        "radius = 2\nw(x) = abs(x) < 1 ? 1.25*abs(x)^3 - 2.25*x^2 + 1 : "
        "-0.75*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)");
    EXPECT_EQ(steep.without().order, 1);
    EXPECT_NEAR(steep.without().constant, 0.0481, 3e-4);
    EXPECT_NEAR(steep.without().l2_constant, 0.0345, 2e-4);
    EXPECT_FALSE(steep.prefilter.needed);
    EXPECT_EQ(fetches_along_axis(steep.pieces, 4), 3);

    const Derived catmull = derived(
        "radius = 2\nw(x) = abs(x) < 1 ? 1.5*abs(x)^3 - 2.5*x^2 + 1 : "
        "-0.5*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)");
    EXPECT_EQ(catmull.without().order, 3);
    EXPECT_NEAR(catmull.without().constant, 0.01604, 8e-5);
    EXPECT_NEAR(catmull.without().l2_constant, 0.01150, 6e-5);

    const Derived linear = derived("radius = 1\nw(x) = 1 - abs(x)");
    EXPECT_EQ(linear.without().order, 2);
    EXPECT_NEAR(linear.without().constant, 1.0 / 8, 1e-9);
    EXPECT_NEAR(linear.without().l2_constant, 0.0913, 1e-4);

    const Derived box = derived("radius = 0.5\nw(x) = 1");
    EXPECT_EQ(box.without().order, 1);
    EXPECT_NEAR(box.without().constant, 1.0 / 2, 1e-6);
    EXPECT_NEAR(box.without().l2_constant, 0.2887, 1e-3);
    EXPECT_EQ(smoothness_of(box.pieces), -1);
}

TEST(WeightFacts, LanczosIsOfNoOrderUnlessItIsNormalised) {
    const Derived raw = derived("radius = 3\nw(x) = sinc(x)*sinc(x/3)");
    EXPECT_EQ(raw.without().order, 0);
    EXPECT_FALSE(weight_sum(raw.pieces).is_one());
    EXPECT_TRUE(is_interpolating(raw.pieces));
    const Derived divided = derived("radius = 3\nw(x) = sinc(x)*sinc(x/3)\nnormalise = yes");
    EXPECT_GE(divided.without().order, 1);
    EXPECT_TRUE(weight_sum(divided.pieces).is_one());
}

TEST(WeightFacts, LanczosStretchedHasARealPoleAndAPair) {
    const Derived stretched = derived("radius = 3.6\nw(x) = sinc(x/1.2)*sinc(x/3.6)/1.2");
    const auto& poles = stretched.prefilter.poles;
    ASSERT_EQ(poles.size(), 3u);
    EXPECT_NEAR(poles[0].real(), -0.504, 5e-4);
    EXPECT_EQ(poles[0].imag(), 0);
    EXPECT_NEAR(poles[1].real(), 0.153, 5e-4);
    EXPECT_NEAR(poles[1].imag(), 0.166, 5e-4);
    EXPECT_NEAR(std::abs(poles[2] - std::conj(poles[1])), 0, 1e-9);
    EXPECT_TRUE(stretched.prefilter.filter.poles.empty());
    EXPECT_FALSE(stretched.prefilter.filter.taps.empty());
    EXPECT_LE(stretched.prefilter.tail, most_tail);
}

TEST(WeightFacts, NothingUndoesAZeroOnTheUnitCircle) {
    const Derived hann = derived("radius = 2\nw(x) = 0.5 + 0.5*cos(pi*x/2)");
    EXPECT_TRUE(hann.prefilter.needed);
    EXPECT_TRUE(hann.prefilter.filter.empty());
    EXPECT_TRUE(hann.prefilter.response.empty());
    EXPECT_THAT(hann.prefilter.sentence, ::testing::HasSubstr("zero on the unit circle"));
}

TEST(WeightFacts, TheInverseResponseConvolvedWithTheSamplesIsAnImpulse) {
    for (const std::string& text :
         {bspline, mitchell, omoms, std::string("radius = 3.6\nw(x) = sinc(x/1.2)*sinc(x/3.6)/1.2"),
          std::string("radius = 2.5\nw(x) = exp(-1.2*x^2)")}) {
        const WeightFunction function(text);
        const auto response = derived(text).prefilter.response;
        const int far = int(response.size() / 2), reach = function.taps() / 2;
        for (int n = -20; n <= 20; ++n) {
            double sum = 0;
            for (int k = -reach; k <= reach; ++k) sum += function(k, {}) * response[size_t(n - k + far)];
            EXPECT_NEAR(sum, n == 0 ? 1 : 0, 1e-12) << text << " at " << n;
        }
    }
}

TEST(WeightFacts, StepsSpectraAndSupports) {
    const Derived linear = derived("radius = 2\nw(x) = max(0, 1 - abs(x))");
    EXPECT_NEAR(step_overshoot(linear.pieces), 0, 1e-15);
    EXPECT_NEAR(support_of(linear.pieces).left, -1, 1e-12);
    EXPECT_NEAR(support_of(linear.pieces).right, 1, 1e-12);
    // sinc² of the triangle
    const auto sinc = [](double f) { return std::sin(std::numbers::pi * f) / (std::numbers::pi * f); };
    EXPECT_NEAR(gain_at(linear.pieces, 0.5), sinc(0.5) * sinc(0.5), 1e-9);
    EXPECT_NEAR(gain_at(linear.pieces, 0.25), sinc(0.25) * sinc(0.25), 1e-9);
    EXPECT_NEAR(strongest_image(linear.pieces), sinc(0.75) * sinc(0.75), 1e-9);
    const Derived cubic = derived(bspline);
    EXPECT_NEAR(gain_at(cubic.pieces, 0.5), std::pow(sinc(0.5), 4), 1e-9);
    // P(−1) = 2/3 − 1/3
    EXPECT_NEAR(gain_at(cubic.pieces, 0.5, cubic.prefilter.response), std::pow(sinc(0.5), 4) * 3, 1e-9);
    // Catmull–Rom beyond a step: w(t + 1) + w(t + 2)… its largest is at t with −w(1 + t) largest: 2/27 for a = −1/2.
    const Derived catmull = derived(
        "radius = 2\nw(x) = abs(x) < 1 ? 1.5*abs(x)^3 - 2.5*x^2 + 1 : "
        "-0.5*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)");
    EXPECT_NEAR(step_overshoot(catmull.pieces), 2.0 / 27, 1e-4);
}

// Cubics on four pieces with random coefficients: facts against plain sums over the same numbers.
TEST(WeightFacts, RandomPiecewiseCubicsAgreeWithAModel) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int trial = 0; trial < 20; ++trial) {
        double c[4][4];
        for (auto& piece : c)
            for (double& v : piece) v = any(random);
        const auto model = [&](double x) {
            if (x < -2 || x >= 2) return 0.0;
            const int n = int(std::floor(x)) + 2;
            const double t = x - std::floor(x);
            return c[n][0] + t * (c[n][1] + t * (c[n][2] + t * c[n][3]));
        };
        std::string formula = "0";
        for (int n = 3; n >= 0; --n) {
            char part[2000];
            std::snprintf(part, sizeof part,
                          "x < %d ? %.17g + (x - %d)*(%.17g + (x - %d)*(%.17g + (x - %d)*%.17g)) : (%s)", n - 1,
                          c[n][0], n - 2, c[n][1], n - 2, c[n][2], n - 2, c[n][3], formula.c_str());
            formula = part;
            for (size_t at; (at = formula.find("- -")) != std::string::npos;) formula.replace(at, 3, "+ ");
        }
        const WeightFunction function("radius = 2\nw(x) = " + formula);
        const Derived d = derived(function.with({}), 2);
        for (double x = -2.1; x < 2.1; x += 0.0137) ASSERT_NEAR(value_of(d.pieces, x), model(x), 1e-12) << x;
        double least = 1e9, largest = -1e9;
        for (double t = 0; t < 1; t += 1.0 / 4096) {
            const double sum = model(t - 2) + model(t - 1) + model(t) + model(t + 1);
            least = std::min(least, sum);
            largest = std::max(largest, sum);
        }
        double end = 0;  // the limit at the end of the phases
        for (const auto& piece : c) end += piece[0] + piece[1] + piece[2] + piece[3];
        const WeightSum sum = weight_sum(d.pieces);
        EXPECT_NEAR(sum.least, std::min(least, end), 2e-4);  // phases 1/128 apart
        EXPECT_NEAR(sum.largest, std::max(largest, end), 2e-4);
        EXPECT_EQ(smoothness_of(d.pieces), -1);
        EXPECT_EQ(d.without().order, 0);
        // ∫ w(x) e^(−2πi f x) dx by midpoints
        for (const double f : {0.0, 0.25, 0.5}) {
            std::complex<double> spectrum = 0;
            constexpr int steps = 40000;
            for (int i = 0; i < steps; ++i) {
                const double x = -2 + 4 * (i + 0.5) / steps;
                spectrum += model(x) * std::polar(1.0, -2 * std::numbers::pi * f * x) * (4.0 / steps);
            }
            EXPECT_NEAR(gain_at(d.pieces, f), std::abs(spectrum), 1e-6) << f;
        }
    }
}

}  // namespace
}  // namespace texelscope
