// Cubic B-spline. Passes through the samples only after the prefilter; without it, it blurs.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct CubicBSpline {
    static constexpr int taps = 4, fetches = 2;

    // β³(t + 1), β³(t), β³(1 − t), β³(2 − t)
    TS_HD void weights(float t, float (&w)[4]) const {
        const float u = 1 - t, t2 = t * t, u2 = u * u;
        w[0] = u2 * (u * (1.0f / 6));
        w[1] = 2.0f / 3 + t2 * (0.5f * t - 1);
        w[2] = 2.0f / 3 + u2 * (0.5f * u - 1);
        w[3] = t2 * (t * (1.0f / 6));
    }

    // All weights are positive, so two fetches carry the four taps (Sigg & Hadwiger 2005: g0, g1 at h0, h1).
    TS_HD void groups(float t, float (&offset)[2], float (&weight)[2]) const {
        float w[4];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    // β³, Unser 1999, eq. 4
    static double weight(double x) {
        const double a = std::abs(x);
        if (a >= 2) return 0;
        return a >= 1 ? (2 - a) * (2 - a) * (2 - a) / 6 : 2.0 / 3 - a * a * (2 - a) / 2;
    }

    static double slope(double x) {
        const double a = std::abs(x), sign = x < 0 ? -1 : 1;
        if (a >= 2) return 0;
        return sign * (a >= 1 ? -(2 - a) * (2 - a) / 2 : a * (1.5 * a - 2));
    }
};

const RegisterMethod registration(described_by<CubicBSpline, CudaKernels::own>({
    .id = "bspline",
    .family = "bspline",
    .group = MethodGroup::spline,
    .name = "Cubic B-spline",
    .summary = "Twice continuously differentiable. With the exact prefilter, the most faithful method with four taps "
               "after o-MOMS; without it, a smooth blur.",
    .paper = "Unser 1999; Champagnat & Le Sant 2011, Efficient cubic B-spline image interpolation on a GPU",
    .formula = "abs(x) < 1 ? 2/3 - x^2 + abs(x)^3/2 : (2 - abs(x))^3/6",
    .rank = 3,
    .interpolating = true,
    .order = 4,
    .order_unfiltered = 2,
    .smoothness = 2,
    .poles = {-0.26794919243112270647},  // √3 − 2
    .hardware_note = "Four fetches with linear filtering instead of sixteen: neighbouring weights are positive and "
                     "merge in pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
