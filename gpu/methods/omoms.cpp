// Cubic o-MOMS: the shortest support of order four with the least error. Needs its prefilter.

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
        merge_taps(-1, w[0], w[1], offset[0], weight[0]);
        merge_taps(1, w[2], w[3], offset[1], weight[1]);
    }

    static double weight(double x) {
        const double a = std::abs(x), v = 2 - a;
        if (a >= 2) return 0;
        return a >= 1 ? v * (1.0 / 42 + v * v / 6) : 13.0 / 21 + a * (1.0 / 14 - a * (1 - a / 2));
    }
};

const RegisterMethod registration(described_by<CubicOMoms, CudaKernels::own>({
    .id = "omoms",
    .family = "omoms",
    .name = "Cubic o-MOMS",
    .summary = "The most faithful method with four taps: about a third of the cubic B-spline's error, at the price of "
               "a crease at every sample; without its prefilter it only blurs.",
    .paper = "Blu, Thévenaz & Unser 2001, MOMS: maximal-order interpolation of minimal support",
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

}  // namespace
}  // namespace texelscope
