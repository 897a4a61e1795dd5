// Septic B-spline. Passes through the samples only after the prefilter, which has three poles; without it, it blurs.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct SepticBSpline {
    static constexpr int taps = 8, fetches = 4;

    // β⁷ at the distances 3 + t, 2 + t, 1 + t, t, 1 − t, 2 − t, 3 − t, 4 − t
    TS_HD void weights(float t, float (&w)[8]) const {
        const float u = 1 - t;
        w[0] = end(u);
        w[1] = outer(u);
        w[2] = inner(u);
        w[3] = middle(t);
        w[4] = middle(u);
        w[5] = inner(t);
        w[6] = outer(t);
        w[7] = end(t);
    }

    // All weights are positive, so four fetches carry the eight taps.
    TS_HD void groups(float t, float (&offset)[4], float (&weight)[4]) const {
        float w[8];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    // β⁷
    static double weight(double x) {
        const double a = std::abs(x);
        return a >= 4 ? 0 : a >= 3 ? end(4 - a) : a >= 2 ? outer(3 - a) : a >= 1 ? inner(2 - a) : middle(a);
    }

    static double slope(double x) {
        const double a = std::abs(x), sign = x < 0 ? -1 : 1;
        if (a >= 4) return 0;
        if (a >= 3) return -sign * std::pow(4 - a, 6) / 720;
        if (a >= 2) {
            const double v = 3 - a;
            return -sign * (1 + v * (6 + v * (15 + v * (20 + v * (15 + v * (6 - 7 * v)))))) / 720;
        }
        if (a >= 1) {
            const double v = 2 - a, vv = v * v;
            return -sign * (56 + v * (144 + v * (120 - vv * (60 + v * (36 - 21 * v))))) / 720;
        }
        const double aa = a * a;
        return -sign * a * (96 - aa * (64 - aa * (24 - 7 * a))) / 144;
    }

private:
    // at the distance d ≤ 1
    template <class Real> TS_HD static Real middle(Real d) {
        const Real dd = d * d;
        return (2416 - dd * (1680 - dd * (560 - dd * (140 - 35 * d)))) * Real(1.0 / 5040);
    }
    // at the distances 2 − v, 3 − v and 4 − v, v ≤ 1
    template <class Real> TS_HD static Real inner(Real v) {
        const Real vv = v * v;
        return (120 + v * (392 + v * (504 + v * (280 - vv * (84 + v * (42 - 21 * v)))))) * Real(1.0 / 5040);
    }
    template <class Real> TS_HD static Real outer(Real v) {
        return (1 + 7 * v * (1 + v * (3 + v * (5 + v * (5 + v * (3 + v * (1 - v))))))) * Real(1.0 / 5040);
    }
    template <class Real> TS_HD static Real end(Real v) {
        const Real vvv = v * v * v;
        return vvv * vvv * v * Real(1.0 / 5040);
    }
};

const RegisterMethod registration(described_by<SepticBSpline>({
    .id = "septic",
    .family = "septic_bspline",
    .group = MethodGroup::spline,
    .name = "Septic B-spline",
    .summary =
        "Six times continuously differentiable. With the exact prefilter, the most faithful method here on smooth "
        "pictures, at eight taps per axis; without it, a strong blur.",
    .paper = "Unser 1999, Splines: a perfect fit for signal and image processing; Unser, Aldroubi & Eden 1993",
    .formula = "abs(x) < 1 ? (2416 - 1680*x^2 + 560*x^4 - 140*x^6 + 35*abs(x)^7)/5040 : "
               "abs(x) < 2 ? ((4 - abs(x))^7 - 8*(3 - abs(x))^7 + 28*(2 - abs(x))^7)/5040 : "
               "abs(x) < 3 ? ((4 - abs(x))^7 - 8*(3 - abs(x))^7)/5040 : (4 - abs(x))^7/5040",
    .rank = 24,
    .interpolating = true,
    .order = 8,
    .order_unfiltered = 2,
    .smoothness = 6,
    // of 2416 + 1191 (z + 1/z) + 120 (z² + 1/z²) + z³ + 1/z³
    .poles = {-0.53528043079643816554, -0.12255461519232669052, -0.0091486948096082769286},
    .hardware_note = "Sixteen fetches with linear filtering instead of 64: neighbouring weights are positive and merge "
                     "in pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 1.4e-5,
}));

}  // namespace
}  // namespace texelscope
