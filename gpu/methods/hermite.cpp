// Cubic Hermite with slopes of zero at the samples: bilinear with an eased fraction.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct Hermite {
    static constexpr int taps = 2, fetches = 1;

    TS_HD void weights(float t, float (&w)[2]) const {
        const float u = 1 - t;
        w[0] = u * u * (1 + 2 * t);
        w[1] = t * t * (1 + 2 * u);
    }

    TS_HD void groups(float t, float (&offset)[1], float (&weight)[1]) const {
        offset[0] = t * t * (3 - 2 * t);
        weight[0] = 1;
    }

    static double weight(double x) {
        const double a = std::abs(x);
        return a < 1 ? (1 - a) * (1 - a) * (1 + 2 * a) : 0;
    }

    static double slope(double x) {
        const double a = std::abs(x);
        return a < 1 ? -6 * x * (1 - a) : 0;
    }
};

const RegisterMethod registration(described_by<Hermite>({
    .id = "hermite",
    .family = "hermite",
    .group = MethodGroup::simple,
    .name = "Cubic Hermite",
    .summary = "Goes from sample to sample along 3t² − 2t³, level at every sample; smooth without overshoot, but ramps "
               "become stairs.",
    .paper = "Schumacher 1992, General filtered image rescaling (Graphics gems III)",
    .formula = "2*abs(x)^3 - 3*x^2 + 1",
    .rank = 9,
    .interpolating = true,
    .order = 1,
    .order_unfiltered = 1,
    .smoothness = 1,
    .hardware_note = "One fetch with linear filtering at the eased fraction 3t² − 2t³, which the texture unit rounds "
                     "to 8 bits: 256 steps between samples.",
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
