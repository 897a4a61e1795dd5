// o-MOMS of degree 3 and 5: the shortest support of order four and six with the least error. They need their prefilter.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct CubicOMoms {
    static constexpr int taps = 4, fetches = 2;

    // β³ + β³″/42, at the distances 1 + t, t, 1 − t, 2 − t
    TS_HD void weights(float t, float (&w)[4]) const {
        const float u = 1 - t;
        w[0] = u * (1.0f / 42 + u * u * (1.0f / 6));
        w[1] = 13.0f / 21 + t * (1.0f / 14 - t * (1 - 0.5f * t));
        w[2] = 13.0f / 21 + u * (1.0f / 14 - u * (1 - 0.5f * u));
        w[3] = t * (1.0f / 42 + t * t * (1.0f / 6));
    }

    // All weights are positive, so two fetches carry the four taps, as for the cubic B-spline.
    TS_HD void groups(float t, float (&offset)[2], float (&weight)[2]) const {
        float w[4];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    static double weight(double x) {
        const double a = std::abs(x), v = 2 - a;
        if (a >= 2) return 0;
        return a >= 1 ? v * (1.0 / 42 + v * v / 6) : 13.0 / 21 + a * (1.0 / 14 - a * (1 - a / 2));
    }
};

// o-MOMS of degree five. Blu, Thévenaz & Unser 2001: with p₂ = 1/33 and p₄ = 1/7920, β⁵ + p₂ β⁵″ + p₄ β⁵⁗ has the least
// Σ |1 − p₂ω² + p₄ω⁴|² / ω¹² over ω = 2πn: what the best approximation of a smooth signal by such functions loses.
struct QuinticOMoms {
    static constexpr int taps = 6, fetches = 3;

    // at the distances 2 + t, 1 + t, t, 1 − t, 2 − t, 3 − t
    TS_HD void weights(float t, float (&w)[6]) const {
        const float u = 1 - t;
        w[0] = end(u);
        w[1] = side(u);
        w[2] = middle(t);
        w[3] = middle(u);
        w[4] = side(t);
        w[5] = end(t);
    }

    // All weights are positive, so three fetches carry the six taps.
    TS_HD void groups(float t, float (&offset)[3], float (&weight)[3]) const {
        float w[6];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    static double weight(double x) {
        const double a = std::abs(x);
        return a >= 3 ? 0 : a >= 2 ? end(3 - a) : a >= 1 ? side(2 - a) : middle(a);
    }

private:
    // at the distance d ≤ 1
    template <class Real> TS_HD static Real middle(Real d) {
        return (4122 - d * (10 + d * (3240 + d * (400 - d * (1980 - 660 * d))))) * Real(1.0 / 7920);
    }
    // at the distances 2 − v and 3 − v, v ≤ 1
    template <class Real> TS_HD static Real side(Real v) {
        return (107 + v * (445 + v * (780 + v * (460 + 330 * v * (1 - v))))) * Real(1.0 / 7920);
    }
    template <class Real> TS_HD static Real end(Real v) {
        return v * (1 + v * v * (40 + 66 * v * v)) * Real(1.0 / 7920);
    }
};

const RegisterMethod cubic(described_by<CubicOMoms, CudaKernels::own>({
    .id = "omoms",
    .family = "omoms",
    .group = MethodGroup::spline,
    .name = "Cubic o-MOMS",
    .summary =
        "The most faithful method with four taps: about a third of the cubic B-spline's largest error, at the price of "
        "a crease at every sample; without its prefilter it only blurs.",
    .paper = "Blu, Thévenaz & Unser 2001, MOMS: maximal-order interpolation of minimal support",
    .formula = "abs(x) < 1 ? abs(x)^3/2 - x^2 + abs(x)/14 + 13/21 : -abs(x)^3/6 + x^2 - 85/42*abs(x) + 29/21",
    .rank = 7,
    .interpolating = true,
    .order = 4,
    .order_unfiltered = 2,
    .smoothness = 0,
    .poles = {-0.34413115425505020210},  // (√105 − 13) / 8
    .hardware_note = "Four fetches with linear filtering instead of sixteen: neighbouring weights are positive and "
                     "merge in pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 2e-6,
}));

const RegisterMethod quintic(described_by<QuinticOMoms>({
    .id = "omoms5",
    .family = "omoms",
    .group = MethodGroup::spline,
    .name = "Quintic o-MOMS",
    .summary =
        "The most faithful method with six taps: about a twenty-sixth of the quintic B-spline's RMS error, at the "
        "price of a slight crease at every sample; without its prefilter it only blurs.",
    .paper = "Blu, Thévenaz & Unser 2001, MOMS: maximal-order interpolation of minimal support",
    .formula = "abs(x) < 1 ? (4122 - 10*abs(x) - 3240*x^2 - 400*abs(x)^3 + 1980*x^4 - 660*abs(x)^5)/7920 : "
               "abs(x) < 2 ? (107 + (2 - abs(x))*(445 + (2 - abs(x))*(780 + (2 - abs(x))*(460 + "
               "330*(2 - abs(x))*(abs(x) - 1)))))/7920 : "
               "(3 - abs(x))*(1 + (3 - abs(x))^2*(40 + 66*(3 - abs(x))^2))/7920",
    .rank = 23,
    .interpolating = true,
    .order = 6,
    .order_unfiltered = 2,
    .smoothness = 0,
    // of 107 (z² + 1/z²) + 1792 (z + 1/z) + 4122
    .poles = {-0.47581271000843991544, -0.070925718968685451774},
    .hardware_note = "Nine fetches with linear filtering instead of 36: neighbouring weights are positive and merge in "
                     "pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 4.6e-6,
}));

}  // namespace
}  // namespace texelscope
