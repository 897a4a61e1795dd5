// Lagrange's polynomial of degree three through the four nearest samples.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct Lagrange {
    static constexpr int taps = 4, fetches = 3;

    // Π_{j≠k} (t − j) / (k − j) over the samples −1, 0, 1, 2; 2 − t = 1 + u
    TS_HD void weights(float t, float (&w)[4]) const {
        const float u = 1 - t;
        const float inner = (1 + t) * (1 + u) * 0.5f, outer = t * u * (-1.0f / 6);
        w[0] = outer * (1 + u);
        w[1] = inner * u;
        w[2] = inner * t;
        w[3] = outer * (1 + t);
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
        return a >= 1 ? (1 - a) * (2 - a) * (3 - a) / 6 : (1 - a * a) * (2 - a) / 2;
    }
};

const RegisterMethod registration(described_by<Lagrange>({
    .id = "lagrange",
    .family = "lagrange",
    .group = MethodGroup::cubic,
    .name = "Lagrange, four points",
    .summary = "The cubic polynomial through the four nearest samples; exact for cubics without a prefilter, with a "
               "crease at every sample.",
    .paper = "Schafer & Rabiner 1973, A digital signal processing approach to interpolation",
    .formula = "abs(x) < 1 ? (1 - x^2)*(2 - abs(x))/2 : (1 - abs(x))*(2 - abs(x))*(3 - abs(x))/6",
    .rank = 10,
    .interpolating = true,
    .order = 4,
    .order_unfiltered = 4,
    .smoothness = 0,
    .hardware_note = middle_pair_note(4),
    .tolerance = 2e-6,
}));

}  // namespace
}  // namespace texelscope
