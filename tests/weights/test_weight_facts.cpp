// What is derived from a weight function, against values that are known from the literature, and against float64 models
// of random piecewise cubics.

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include <gmock/gmock.h>

#include "gpu/weights/weights.h"

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

// β⁷ at the samples is (1, 120, 1191, 2416, …)/5040, the quintic o-MOMS (107, 1792, 4122, …)/7920: three and two real poles.
// Constants: E(t) = Σ a(k)·(exp(2πikt) − 1) with a(k) = P(2πk)/(2πk)ᴸ, summed in closed form (docs/fidelity.md).
TEST(WeightFacts, CascadesOfTwoAndThreePoles) {
    const Derived septic = derived(
        "radius = 4\nw(x) = abs(x) < 1 ? (2416 - 1680*x^2 + 560*x^4 - 140*x^6 + 35*abs(x)^7)/5040 : "
        "abs(x) < 2 ? ((4 - abs(x))^7 - 8*(3 - abs(x))^7 + 28*(2 - abs(x))^7)/5040 : "
        "abs(x) < 3 ? ((4 - abs(x))^7 - 8*(3 - abs(x))^7)/5040 : (4 - abs(x))^7/5040");
    const std::vector<double>& poles = septic.prefilter.filter.poles;
    ASSERT_EQ(poles.size(), 3u) << septic.prefilter.sentence;
    for (const double z : poles) {
        const double y = z + 1 / z;
        EXPECT_NEAR(y * (y * (y + 120) + 1188) + 2176, 0, 1e-9 * std::abs(y * y * y)) << z;
        EXPECT_LT(std::abs(z), 1);
    }
    EXPECT_NEAR(poles[0], -0.5352804307964382, 1e-12);
    EXPECT_EQ(septic.with().order, 8);
    EXPECT_EQ(septic.without().order, 2);
    EXPECT_NEAR(septic.with().constant, 1.647e-6, 2e-9);
    EXPECT_NEAR(septic.with().l2_constant, 1.0112e-6, 2e-9);
    EXPECT_EQ(smoothness_of(septic.pieces), 6);
    EXPECT_EQ(fetches_along_axis(septic.pieces, 8), 4);

    const Derived moms = derived(
        "radius = 3\nw(x) = abs(x) < 1 ? (4122 - 10*abs(x) - 3240*x^2 - 400*abs(x)^3 + 1980*x^4 - 660*abs(x)^5)/7920 : "
        "abs(x) < 2 ? (107 + (2 - abs(x))*(445 + (2 - abs(x))*(780 + (2 - abs(x))*(460 + "
        "330*(2 - abs(x))*(abs(x) - 1)))))/7920 : (3 - abs(x))*(1 + (3 - abs(x))^2*(40 + 66*(3 - abs(x))^2))/7920");
    ASSERT_EQ(moms.prefilter.filter.poles.size(), 2u) << moms.prefilter.sentence;
    EXPECT_NEAR(moms.prefilter.filter.poles[0], -0.47581271000843992, 1e-12);
    EXPECT_NEAR(moms.prefilter.filter.poles[1], -0.07092571896868545, 1e-12);
    EXPECT_EQ(moms.with().order, 6);
    EXPECT_EQ(moms.without().order, 2);
    EXPECT_NEAR(moms.with().constant, 2.1265e-6, 4e-9);
    EXPECT_NEAR(moms.with().l2_constant, 1.5599e-6, 3e-9);
    EXPECT_EQ(smoothness_of(moms.pieces), 0);
    EXPECT_EQ(fetches_along_axis(moms.pieces, 6), 3);
}

// Four real poles are recursions; so close together that float64 would lose too much, or five of them, a convolution.
TEST(WeightFacts, RealPolesAreRecursionsUpToFour) {
    const auto with_poles = [](const std::vector<double>& poles) {
        std::vector<double> p = {1};  // Π (1 − z·x)(1 − z/x) / (1 − z)² at the samples
        for (const double z : poles) {
            std::vector<double> next(p.size() + 2, 0.0);
            const double scale = 1 / ((1 - z) * (1 - z));
            for (size_t i = 0; i < p.size(); ++i) {
                next[i] -= z * scale * p[i];
                next[i + 1] += (1 + z * z) * scale * p[i];
                next[i + 2] -= z * scale * p[i];
            }
            p = next;
        }
        const int reach = int(poles.size());
        return derive_prefilter([&](double x) { return std::abs(x) > reach ? 0 : p[size_t(int(x) + reach)]; },
                                reach + 1);
    };
    for (const std::vector<double>& poles :
         {std::vector{-0.5, -0.2, -0.1, 0.3}, {-0.4, 0.2, -0.03}, {0.55}, {-0.3, -0.298}}) {
        const DerivedPrefilter found = with_poles(poles);
        ASSERT_EQ(found.filter.poles.size(), poles.size()) << found.sentence;
        for (const double z : poles) {
            double nearest = 1;
            for (const double other : found.filter.poles) nearest = std::min(nearest, std::abs(z - other));
            EXPECT_LT(nearest, 1e-9) << z;
        }
    }
    for (const std::vector<double>& poles :
         {std::vector{-0.4, -0.3, -0.2, -0.1, 0.1}, {-0.4, -0.39, 0.2}, {-0.3, -0.2995}}) {
        const DerivedPrefilter found = with_poles(poles);
        EXPECT_TRUE(found.filter.poles.empty()) << found.sentence;
        EXPECT_FALSE(found.filter.taps.empty()) << found.sentence;
    }
}

// β³ + α β³″ for a random α: of order four with its prefilter (MOMS, Blu, Thévenaz & Unser 2001), of order two without.
TEST(WeightFacts, RandomCubicsOfMaximalOrderAgreeWithTheory) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(-0.12, 0.06);
    for (int trial = 0; trial < 12; ++trial) {
        const double alpha = any(random);
        SCOPED_TRACE(alpha);
        char text[400];
        std::snprintf(text, sizeof text,
                      "radius = 2\nw(x) = abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 + (%.17g)*(3*abs(x) - 2) : "
                      "(2 - abs(x))^3/6 + (%.17g)*(2 - abs(x))",
                      alpha, alpha);
        const Derived d = derived(text);
        // E(t) = f(t) − f(0) from Σ 2 cos(2πkt)/(2πk)⁴ = −B₄(t)/24 and Σ 2 cos(2πkt)/(2πk)² = B₂(t)/2.
        double largest = 0, squares = 0;
        constexpr int steps = 20000;
        for (int i = 0; i < steps; ++i) {
            const double t = (i + 0.5) / steps, b2 = t * t - t, e = -b2 * b2 / 24 - alpha * b2 / 2;
            largest = std::max(largest, std::abs(e));
            squares += e * e / steps;
        }
        EXPECT_EQ(d.with().order, 4);
        EXPECT_NEAR(d.with().constant, largest, 1e-3 * largest);
        EXPECT_NEAR(d.with().l2_constant, std::sqrt(squares), 1e-3 * largest);
        EXPECT_EQ(d.without().order, 2);
        EXPECT_NEAR(d.without().constant, 1.0 / 6 + alpha, 1e-9);
        const double s = 1.0 / 6 + alpha, middle = 1 - 2 * s;  // at the samples
        ASSERT_EQ(d.prefilter.filter.poles.size(), 1u) << d.prefilter.sentence;
        EXPECT_NEAR(d.prefilter.filter.poles[0], (-middle + std::sqrt(middle * middle - 4 * s * s)) / (2 * s), 1e-12);
        EXPECT_EQ(smoothness_of(d.pieces), 0);
        constexpr double pi = std::numbers::pi;
        const double nyquist = std::pow(2 / pi, 4) * (1 - alpha * pi * pi);
        EXPECT_NEAR(gain_at(d.pieces, 0.5), std::abs(nyquist), 1e-9);
        EXPECT_NEAR(gain_at(d.pieces, 0.5, d.prefilter.response), std::abs(nyquist / (middle - 2 * s)), 1e-9);
    }
}

// Even, continuous, and with weights that sum to 1: p on [0, 1) and q on [1, 2) with p + q = ½ + a (t − ½) + b (t − ½)³.
TEST(WeightFacts, RandomContinuousCubicsAgreeWithAModel) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int trial = 0; trial < 12; ++trial) {
        const double s = 0.06 + 0.12 * any(random), p2 = 2 * any(random), p3 = any(random), b = any(random);
        const double p0 = 1 - 2 * s, p1 = s - p0 - p2 - p3, a = 2 * (s - 0.5) - b / 4;
        const auto p = [&](double t) { return p0 + t * (p1 + t * (p2 + t * p3)); };
        const auto q = [&](double t) { return 0.5 + (t - 0.5) * (a + b * (t - 0.5) * (t - 0.5)) - p(t); };
        const auto model = [&](double x) {
            x = std::abs(x);
            return x < 1 ? p(x) : x < 2 ? q(x - 1) : 0;
        };
        const auto term = [](double v) {
            char number[40];
            std::snprintf(number, sizeof number, "(%.17g)", v);
            return std::string(number);
        };
        const std::string cubic = term(p0) + " + T*(" + term(p1) + " + T*(" + term(p2) + " + T*" + term(p3) + "))";
        const auto at = [&](std::string text, const std::string& t) {
            for (size_t found; (found = text.find('T')) != std::string::npos;) text.replace(found, 1, t);
            return text;
        };
        const std::string outer = "0.5 + (T - 0.5)*(" + term(a) + " + " + term(b) + "*(T - 0.5)^2) - (" + cubic + ")";
        const Derived d =
            derived("radius = 2\nw(x) = abs(x) < 1 ? " + at(cubic, "abs(x)") + " : " + at(outer, "(abs(x) - 1)"));
        SCOPED_TRACE(s);
        EXPECT_TRUE(weight_sum(d.pieces).is_one());
        EXPECT_EQ(smoothness_of(d.pieces), 0);
        double first = 0, squares = 0, over = 0;
        bool negative = false, middle_negative = false;
        constexpr int steps = 4096;
        for (int i = 0; i < steps; ++i) {
            const double t = (i + 0.5) / steps;
            double moment = 0, step = 0;
            for (int k = -2; k <= 1; ++k) {
                const double w = model(t + k);
                moment += (t + k) * w;
                negative |= w < 0;
                middle_negative |= w < 0 && (k == 0 || k == -1);
                step += w;  // samples from k on are 1: the step's values
                over = std::max({over, step - 1, -step});
            }
            first = std::max(first, std::abs(moment));
            squares += moment * moment / steps;
        }
        for (const bool with : {false, true}) {
            const ApproximationOrder order = approximation_order(d.pieces, with);
            EXPECT_EQ(order.order, 1);
            EXPECT_NEAR(order.constant, first, 1e-3 * first + 1e-6);
            EXPECT_NEAR(order.l2_constant, std::sqrt(squares), 1e-3 * first);
        }
        EXPECT_NEAR(step_overshoot(d.pieces), over, 1e-3);
        EXPECT_EQ(fetches_along_axis(d.pieces, 4), !negative ? 2 : !middle_negative ? 3 : 0);
        const double outside = std::abs(s) < 1e-12 ? 0 : (-p0 + std::sqrt(p0 * p0 - 4 * s * s)) / (2 * s);
        ASSERT_EQ(d.prefilter.filter.poles.size(), 1u) << d.prefilter.sentence;
        EXPECT_NEAR(d.prefilter.filter.poles[0], outside, 1e-9);
    }
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
