// Quintic B-spline. Passes through the samples only after the prefilter, which has two poles; without it, it blurs.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct QuinticBSpline {
    static constexpr int taps = 6, fetches = 3;

    // β⁵ at the distances 2 + t, 1 + t, t, 1 − t, 2 − t, 3 − t
    TS_HD void weights(float t, float (&w)[6]) const {
        const float u = 1 - t, tt = t * t, uu = u * u;
        w[0] = uu * uu * u * (1.0f / 120);
        w[1] = side(u);
        w[2] = middle(t);
        w[3] = middle(u);
        w[4] = side(t);
        w[5] = tt * tt * t * (1.0f / 120);
    }

    // All weights are positive, so three fetches carry the six taps.
    TS_HD void groups(float t, float (&offset)[3], float (&weight)[3]) const {
        float w[6];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    // β⁵
    static double weight(double x) {
        const double a = std::abs(x);
        if (a >= 3) return 0;
        if (a >= 2) return std::pow(3 - a, 5) / 120;
        const double v = 2 - a, aa = a * a;
        if (a >= 1) return (1 + 5 * v * (1 + v * (2 + v * (2 + v * (1 - v))))) / 120;
        return (33 - aa * (30 - aa * (15 - 5 * a))) / 60;
    }

    static double slope(double x) {
        const double a = std::abs(x), sign = x < 0 ? -1 : 1;
        if (a >= 3) return 0;
        if (a >= 2) return -sign * std::pow(3 - a, 4) / 24;
        const double v = 2 - a, aa = a * a;
        if (a >= 1) return -sign * (1 + v * (4 + v * (6 + v * (4 - 5 * v)))) / 24;
        return -sign * a * (1 - aa * (1 - 5.0 / 12 * a));
    }

private:
    // at the distance d ≤ 1
    TS_HD static float middle(float d) {
        const float dd = d * d;
        return (33 - dd * (30 - dd * (15 - 5 * d))) * (1.0f / 60);
    }
    // at the distance 2 − v, v ≤ 1
    TS_HD static float side(float v) { return (1 + 5 * v * (1 + v * (2 + v * (2 + v * (1 - v))))) * (1.0f / 120); }
};

const RegisterMethod registration(described_by<QuinticBSpline, CudaKernels::own>({
    .id = "quintic",
    .family = "quintic_bspline",
    .group = MethodGroup::spline,
    .name = "Quintic B-spline",
    .summary =
        "Four times continuously differentiable. With the exact prefilter, very faithful and smooth, at six taps "
        "per axis; without it, a strong blur.",
    .paper = "Unser 1999, Splines: a perfect fit for signal and image processing; Unser, Aldroubi & Eden 1993",
    .formula = "abs(x) < 1 ? (33 - 30*x^2 + 15*x^4 - 5*abs(x)^5)/60 : "
               "abs(x) < 2 ? ((3 - abs(x))^5 - 6*(2 - abs(x))^5)/120 : (3 - abs(x))^5/120",
    .rank = 8,
    .interpolating = true,
    .order = 6,
    .order_unfiltered = 2,
    .smoothness = 4,
    .poles = {-0.43057534709997379185, -0.043096288203264653823},  // of 66 + 26 (z + 1/z) + z² + 1/z²
    .hardware_note = "Nine fetches with linear filtering instead of 36: neighbouring weights are positive and merge in "
                     "pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
