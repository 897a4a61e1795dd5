// Hamming: the main lobe of the sinc under a raised cosine, as Pillow has it.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

constexpr double half_turn = 3.14159265358979323846;  // radians

struct Hamming {
    static constexpr int taps = 2, fetches = 1;

    // Both taps have the same sine, which their sum divides out: left are the windows over the distances.
    TS_HD void weights(float t, float (&w)[2]) const {
        const float u = 1 - t, cosine = 0.46f * cosf(float(half_turn) * t);
        const float left = u * (0.54f + cosine), right = t * (0.54f - cosine), sum = left + right;
        w[0] = left / sum;
        w[1] = right / sum;
    }

    TS_HD void groups(float t, float (&offset)[1], float (&weight)[1]) const {
        float w[2];
        weights(t, w);
        offset[0] = w[1];
        weight[0] = 1;
    }

    static double weight(double x) {
        const double a = std::abs(x), cosine = 0.46 * std::cos(half_turn * a);
        if (a >= 1) return 0;
        return (1 - a) * (0.54 + cosine) / ((1 - a) * (0.54 + cosine) + a * (0.54 - cosine));
    }

    static double undivided(double x) {
        const double phase = half_turn * std::abs(x);
        if (phase >= half_turn) return 0;
        return (phase < 1e-9 ? 1 : std::sin(phase) / phase) * (0.54 + 0.46 * std::cos(phase));
    }
};

const RegisterMethod registration(described_by<Hamming>({
    .id = "hamming",
    .family = "hamming",
    .group = MethodGroup::simple,
    .name = "Hamming",
    .summary =
        "The sinc's main lobe under a Hamming window: as few taps as bilinear, sharper where pictures shrink, and "
        "without overshoot.",
    .paper =
        "Harris 1978, On the use of windows for harmonic analysis with the discrete Fourier transform; Pillow's HAMMING",
    .formula = "sinc(x)*(0.54 + 0.46*cos(pi*x))",
    .formula_divided = true,
    .rank = 27,
    .interpolating = true,
    .order = 1,
    .order_unfiltered = 1,
    .smoothness = 0,
    .hardware_note = "One fetch with linear filtering; the texture unit's fraction has 8 bits.",
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
