// Bilinear: the triangle function 1 − |x| along each axis.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct Bilinear {
    static constexpr int taps = 2, fetches = 1;

    TS_HD void weights(float t, float (&w)[2]) const {
        w[0] = 1 - t;
        w[1] = t;
    }

    TS_HD void groups(float t, float (&offset)[1], float (&weight)[1]) const {
        offset[0] = t;
        weight[0] = 1;
    }

    static double weight(double x) { return std::abs(x) < 1 ? 1 - std::abs(x) : 0; }
};

const RegisterMethod registration(described_by<Bilinear, CudaKernels::own>({
    .id = "bilinear",
    .family = "bilinear",
    .group = MethodGroup::simple,
    .name = "Bilinear",
    .summary = "Straight lines between neighbouring samples along each axis; continuous, with visible creases.",
    .paper = "Thévenaz, Blu & Unser 2000, Interpolation revisited",
    .formula = "1 - abs(x)",
    .rank = 2,
    .interpolating = true,
    .order = 2,
    .order_unfiltered = 2,
    .smoothness = 0,
    .hardware_note =
        "One fetch with linear filtering; the texture unit's fraction has 8 bits: 256 steps between samples.",
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
