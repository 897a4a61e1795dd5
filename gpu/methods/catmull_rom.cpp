// Catmull–Rom: Keys' cubic convolution with a = −1/2.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct CatmullRom {
    static constexpr int taps = 4, fetches = 3;

    // Keys 1981, eq. 4, a = −1/2, in the fraction t
    TS_HD void weights(float t, float (&w)[4]) const {
        const float u = 1 - t;
        w[0] = -0.5f * t * u * u;
        w[1] = 1 + t * t * (1.5f * t - 2.5f);
        w[2] = t * (0.5f + t * (2 - 1.5f * t));
        w[3] = -0.5f * u * t * t;
    }

    // The two middle weights are positive and share a fetch; the outer ones are negative and need their own fetches.
    TS_HD void groups(float t, float (&offset)[3], float (&weight)[3]) const {
        float w[4];
        weights(t, w);
        merge_middle(w, offset, weight);
    }

    static double weight(double x) {
        const double a = std::abs(x);
        if (a >= 2) return 0;
        return a >= 1 ? 2 - a * (4 - a * (2.5 - 0.5 * a)) : 1 - a * a * (2.5 - 1.5 * a);
    }

    static double slope(double x) {
        const double a = std::abs(x), sign = x < 0 ? -1 : 1;
        if (a >= 2) return 0;
        return sign * (a >= 1 ? -4 + a * (5 - 1.5 * a) : a * (4.5 * a - 5));
    }
};

const RegisterMethod registration(described_by<CatmullRom, CudaKernels::own>({
    .id = "catmull-rom",
    .family = "catmull_rom",
    .group = MethodGroup::cubic,
    .name = "Catmull–Rom",
    .summary = "A cubic that passes through the samples without a prefilter; crisp, with slight overshoot at edges.",
    .paper = "Keys 1981, Cubic convolution interpolation for digital image processing (a = −1/2)",
    .formula = "abs(x) < 1 ? 1.5*abs(x)^3 - 2.5*x^2 + 1 : -0.5*abs(x)^3 + 2.5*x^2 - 4*abs(x) + 2",
    .rank = 4,
    .interpolating = true,
    .order = 3,
    .order_unfiltered = 3,
    .smoothness = 1,
    .hardware_note = middle_pair_note(4),
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
