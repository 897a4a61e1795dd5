// Quartic B-spline. Pieces meet halfway between samples: five taps around the nearest sample are not zero, of the six around
// floor(x). Passes through the samples only after the prefilter, which has two poles; without it, it blurs.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct QuarticBSpline {
    static constexpr int taps = 6, fetches = 3;
    static constexpr double radius = 2.5;

    // β⁴ at the distances 2 + t, 1 + t, t, 1 − t, 2 − t, 3 − t
    TS_HD void weights(float t, float (&w)[6]) const {
        const bool right = t > 0.5f;  // of the middle
        const float s = right ? 1 - t : t;
        const float near[] = {end(0.5f - s), side(0.5f - s), middle(s), side(0.5f + s), end(0.5f + s), 0};
        TS_UNROLL
        for (int k = 0; k < 6; ++k) w[k] = right ? near[5 - k] : near[k];
    }

    // No weight is negative, and one of each pair is positive: three fetches carry the taps.
    TS_HD void groups(float t, float (&offset)[3], float (&weight)[3]) const {
        float w[6];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    // β⁴
    static double weight(double x) {
        const double a = std::abs(x);
        return a >= 2.5 ? 0 : a >= 1.5 ? end(2.5 - a) : a >= 0.5 ? side(1.5 - a) : middle(a);
    }

    static double slope(double x) {
        const double a = std::abs(x), sign = x < 0 ? -1 : 1;
        if (a >= 2.5) return 0;
        if (a >= 1.5) return -sign * std::pow(2.5 - a, 3) / 6;
        const double v = 1.5 - a;
        return sign * (a >= 0.5 ? -(1 + v * (3 + v * (3 - 4 * v))) / 6 : a * (a * a - 1.25));
    }

private:
    // at the distance d ≤ ½
    template <class Real> TS_HD static Real middle(Real d) {
        const Real dd = d * d;
        return Real(115.0 / 192) - dd * (Real(0.625) - Real(0.25) * dd);
    }
    // at the distances 1½ − v and 2½ − v, v ≤ 1
    template <class Real> TS_HD static Real side(Real v) {
        return (1 + v * (4 + v * (6 + v * (4 - 4 * v)))) * Real(1.0 / 24);
    }
    template <class Real> TS_HD static Real end(Real v) {
        const Real vv = v * v;
        return vv * vv * Real(1.0 / 24);
    }
};

const RegisterMethod registration(described_by<QuarticBSpline>({
    .id = "quartic",
    .family = "quartic_bspline",
    .group = MethodGroup::spline,
    .name = "Quartic B-spline",
    .summary =
        "Three times continuously differentiable, with five taps around the nearest sample. With the exact prefilter, "
        "between the cubic and the quintic B-spline; without it, a blur.",
    .paper = "Unser 1999, Splines: a perfect fit for signal and image processing; SciPy's order 4",
    .formula = "abs(x) < 0.5 ? 115/192 - 5/8*x^2 + x^4/4 : "
               "abs(x) < 1.5 ? ((2.5 - abs(x))^4 - 5*(1.5 - abs(x))^4)/24 : (2.5 - abs(x))^4/24",
    .rank = 26,
    .interpolating = true,
    .order = 5,
    .order_unfiltered = 2,
    .smoothness = 3,
    .poles = {-0.36134122590022017709, -0.013725429297339121360},  // of 230 + 76 (z + 1/z) + z² + 1/z²
    .hardware_note =
        "Nine fetches with linear filtering instead of 25 taps: no weight is negative, and neighbours merge in "
        "pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
