// Nearest neighbour: the sample at floor(x + ½).

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct Nearest {
    static constexpr int taps = 1, fetches = 0;

    TS_HD void weights(float, float (&w)[1]) const { w[0] = 1; }

    static double weight(double x) { return x >= -0.5 && x < 0.5 ? 1 : 0; }
};

const RegisterMethod registration(described_by<Nearest, CudaKernels::own>({
    .id = "nearest",
    .family = "nearest",
    .group = MethodGroup::simple,
    .name = "Nearest neighbour",
    .summary = "Takes the value of the closest sample. Blocky when zoomed in; never mixes values.",
    .paper = "Thévenaz, Blu & Unser 2000, Interpolation revisited",
    .formula = "1",
    .rank = 1,
    .interpolating = true,
    .order = 1,
    .order_unfiltered = 1,
    .smoothness = -1,
    .hardware_note = "One fetch with point filtering, at the middle of the sample.",
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
