// Spline 16, 36 and 64: the middle piece of the natural cubic spline through the nearest 4, 6 or 8 samples.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

// `numerators` over `denominator` are a sixth of the second derivatives at the sample left of x, tap by tap: the
// natural spline's tridiagonal system for an impulse at that tap. At the right sample they are the mirror image.
template <int denominator, int... numerators> struct NaturalSpline {
    static constexpr int taps = sizeof...(numerators), fetches = taps - 1;

    // A cubic from its values and second derivatives at both ends:
    // u·s(0) + t·s(1) − t·u·((1 + u)·s″(0) + (1 + t)·s″(1)) / 6
    TS_HD void weights(float t, float (&w)[taps]) const {
        constexpr float bend[taps] = {float(double(numerators) / denominator)...};
        const float u = 1 - t, left = t * u * (1 + u), right = t * u * (1 + t);
        TS_UNROLL
        for (int i = 0; i < taps; ++i) w[i] = -(left * bend[i] + right * bend[taps - 1 - i]);
        w[taps / 2 - 1] += u;
        w[taps / 2] += t;
    }

    // The two middle weights are positive and share a fetch; around them the signs alternate, and every tap needs its
    // own fetch.
    TS_HD void groups(float t, float (&offset)[fetches], float (&weight)[fetches]) const {
        float w[taps];
        weights(t, w);
        merge_middle(w, offset, weight);
    }

    static double weight(double x) {
        constexpr double bend[taps] = {double(numerators) / denominator...};
        const double a = std::abs(x);
        if (a >= taps / 2) return 0;
        const int whole = int(a), tap = taps / 2 - 1 - whole;
        const double t = a - whole, u = 1 - t;
        return (whole == 0 ? u : 0) - t * u * ((1 + u) * bend[tap] + (1 + t) * bend[taps - 1 - tap]);
    }
};

using Spline16 = NaturalSpline<15, 4, -9, 6, -1>;
using Spline36 = NaturalSpline<209, -15, 90, -151, 96, -24, 4>;
using Spline64 = NaturalSpline<2911, 56, -336, 1344, -2129, 1350, -360, 90, -15>;

template <class Spline> MethodInfo spline(MethodInfo info) {
    info.family = "spline";
    info.group = MethodGroup::sinc;
    info.paper =
        "Dersch 1999, Testing interpolator quality (Panorama Tools); de Boor 1978, A practical guide to "
        "splines";
    info.interpolating = true;
    info.order = 2;
    info.order_unfiltered = 2;
    info.smoothness = 0;
    info.hardware_note = middle_pair_note(Spline::taps);
    info.tolerance = 2e-6;
    return described_by<Spline>(info);
}

const RegisterMethod spline16(spline<Spline16>({
    .id = "spline16",
    .name = "Spline 16",
    .summary = "The natural cubic spline through the four nearest samples; a little sharper than Catmull–Rom, creased "
               "at the samples.",
    .formula = "abs(x) < 1 ? ((abs(x) - 9/5)*abs(x) - 1/5)*abs(x) + 1 : "
               "((-1/3*(abs(x) - 1) + 4/5)*(abs(x) - 1) - 7/15)*(abs(x) - 1)",
    .rank = 15,
}));

const RegisterMethod spline36(spline<Spline36>({
    .id = "spline36",
    .name = "Spline 36",
    .summary = "The natural cubic spline through the six nearest samples; close to the prefiltered cubic B-spline, "
               "without needing a prefilter.",
    .formula = "abs(x) < 1 ? ((13/11*abs(x) - 453/209)*abs(x) - 3/209)*abs(x) + 1 : "
               "abs(x) < 2 ? ((-6/11*(abs(x) - 1) + 270/209)*(abs(x) - 1) - 156/209)*(abs(x) - 1) : "
               "((1/11*(abs(x) - 2) - 45/209)*(abs(x) - 2) + 26/209)*(abs(x) - 2)",
    .rank = 16,
}));

const RegisterMethod spline64(spline<Spline64>({
    .id = "spline64",
    .name = "Spline 64",
    .summary = "The natural cubic spline through the eight nearest samples; almost identical to the prefiltered cubic "
               "B-spline, without a prefilter.",
    .formula = "abs(x) < 1 ? ((49/41*abs(x) - 6387/2911)*abs(x) - 3/2911)*abs(x) + 1 : "
               "abs(x) < 2 ? ((-24/41*(abs(x) - 1) + 4032/2911)*(abs(x) - 1) - 2328/2911)*(abs(x) - 1) : "
               "abs(x) < 3 ? ((6/41*(abs(x) - 2) - 1008/2911)*(abs(x) - 2) + 582/2911)*(abs(x) - 2) : "
               "((-1/41*(abs(x) - 3) + 168/2911)*(abs(x) - 3) - 97/2911)*(abs(x) - 3)",
    .rank = 17,
}));

}  // namespace
}  // namespace texelscope
