// The piecewise cubics of four taps that are once continuously differentiable: Mitchell & Netravali's family in two
// parameters, their own choice from it, and Keys' line B = 0 in his parameter a = −C.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

class Cubic {
public:
    static constexpr int taps = 4, fetches = 3;

    // The floats are such that the weights sum to one whatever was rounded: peak + 2·end = 1, bend − dip = 6·end.
    Cubic(double b, double c)
        : b_(b), c_(c), peak_(float(1 - b / 3)), end_((1 - peak_) / 2), dip_(float(c)), bend_(dip_ + 6 * end_) {}

    // Mitchell & Netravali's formula, written in t and u = 1 − t so that nothing cancels: at t = 0 a member with B = 0
    // has the weights 0, 1, 0, 0 exactly.
    TS_HD void weights(float t, float (&w)[4]) const {
        const float u = 1 - t, tt = t * t, uu = u * u;
        w[0] = uu * (end_ * u - dip_ * t);
        w[1] = peak_ * (uu * (1 + 2 * t)) + tt * (bend_ * u + end_ * t);
        w[2] = peak_ * (tt * (1 + 2 * u)) + uu * (bend_ * t + end_ * u);
        w[3] = tt * (end_ * t - dip_ * u);
    }

    // The two middle weights are positive and share a fetch; the outer ones are negative for some t and need
    // their own fetches.
    TS_HD void groups(float t, float (&offset)[3], float (&weight)[3]) const {
        float w[4];
        weights(t, w);
        merge_middle(w, offset, weight);
    }

    double weight(double x) const {
        const double a = std::abs(x), v = 2 - a;
        if (a >= 2) return 0;
        if (a >= 1) return v * v * (b_ / 6 * v - c_ * (1 - v));
        return 1 - b_ / 3 + a * a * (2 * b_ + c_ - 3 + (2 - 1.5 * b_ - c_) * a);
    }

    double slope(double x) const {
        const double a = std::abs(x), v = 2 - a, sign = x < 0 ? -1 : 1;
        if (a >= 2) return 0;
        if (a >= 1) return sign * v * (2 * c_ - (b_ / 2 + 3 * c_) * v);
        return sign * a * (2 * (2 * b_ + c_ - 3) + 3 * (2 - 1.5 * b_ - c_) * a);
    }

private:
    double b_, c_;
    float peak_, end_;  // of the function at 0 and at ±1
    float dip_, bend_;
};

struct FamilyMember : Cubic {
    explicit FamilyMember(const MethodParameters& p) : Cubic(p.value[0], p.value[1]) {}
};

struct MitchellNetravali : Cubic {
    MitchellNetravali() : Cubic(1.0 / 3, 1.0 / 3) {}
};

struct Keys : Cubic {
    explicit Keys(const MethodParameters& p) : Cubic(0, -p.value[0]) {}
};

constexpr std::string_view mitchell_netravali =
    "Mitchell & Netravali 1988, Reconstruction filters in computer graphics";
constexpr std::string_view middle_pair =
    "Nine fetches with linear filtering: the two middle weights share one; the outer ones are negative for some "
    "fractions and cannot. Each fetch has an 8-bit fraction.";

const RegisterMethod mitchell(described_by<MitchellNetravali, CudaKernels::own>({
    .id = "mitchell",
    .family = "bc_cubic",
    .group = MethodGroup::cubic,
    .name = "Mitchell–Netravali",
    .summary = "The (B, C) cubic with B = C = 1/3, chosen from viewers' judgements: a compromise between blur, ringing "
               "and blocks. It does not pass through the samples.",
    .paper = mitchell_netravali,
    .formula = "abs(x) < 1 ? (7*abs(x)^3 - 12*x^2 + 16/3)/6 : (-7/3*abs(x)^3 + 12*x^2 - 20*abs(x) + 32/3)/6",
    .rank = 5,
    .interpolating = false,
    .order = 2,
    .order_unfiltered = 2,
    .smoothness = 1,
    .hardware_note = middle_pair,
    .tolerance = 2e-6,
}));

const RegisterMethod bicubic(described_by<Keys>({
    .id = "bicubic",
    .family = "bc_cubic",
    .group = MethodGroup::cubic,
    .name = "Bicubic (Keys)",
    .summary = "Cubic convolution with an adjustable slope a at ±1. a = −0.75 is the bicubic of OpenCV, and of PyTorch "
               "without antialiasing; a = −0.5, that of Pillow's resize and MATLAB, is Catmull–Rom.",
    .paper = "Keys 1981, Cubic convolution interpolation for digital image processing",
    .formula = "abs(x) < 1 ? (a + 2)*abs(x)^3 - (a + 3)*x^2 + 1 : a*(abs(x)^3 - 5*x^2 + 8*abs(x) - 4)",
    .rank = 13,
    .interpolating = true,
    .order = 1,
    .order_unfiltered = 1,
    .smoothness = 1,
    .hardware_note = middle_pair_note(4),
    .tolerance = 2e-6,
    .parameters = {{"a", "a", "", -1, 0, -0.75,
                    "Slope of the weight function at distance 1: closer to −1 is sharper, with more overshoot; only "
                    "−0.5 has order 3."}},
}));

const RegisterMethod family(described_by<FamilyMember>({
    .id = "bc",
    .family = "bc_cubic",
    .group = MethodGroup::cubic,
    .name = "(B, C) cubic",
    .summary = "All smooth cubics with four taps. B = 1, C = 0 is the cubic B-spline without prefilter; B = 0 passes "
               "through the samples; B + 2C = 1 reproduces ramps.",
    .paper = mitchell_netravali,
    .formula = "abs(x) < 1 ? 1 - b/3 + x^2*(2*b + c - 3 + (2 - 1.5*b - c)*abs(x)) : "
               "(2 - abs(x))^2*(b/6*(2 - abs(x)) - c*(abs(x) - 1))",
    .rank = 14,
    .interpolating = false,
    .order = 2,
    .order_unfiltered = 2,
    .smoothness = 1,
    .hardware_note = middle_pair,
    .tolerance = 2e-6,
    .parameters = {{"b", "B", "", 0, 1, 1.0 / 3, "Blur: 0 passes through the samples; 1 with C = 0 is the B-spline."},
                   {"c", "C", "", 0, 1, 1.0 / 3, "Sharpening: depth of the negative lobes; larger values ring more."}},
}));

}  // namespace
}  // namespace texelscope
