// Quadratic B-spline, which is also the Magic Kernel, and that kernel sharpened. Pieces meet halfway between samples: three
// taps around the nearest sample are not zero, of the four around floor(x).

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

struct QuadraticBSpline {
    static constexpr int taps = 4, fetches = 2;
    static constexpr double radius = 1.5;

    // β² at the distances 1 + t, t, 1 − t, 2 − t
    TS_HD void weights(float t, float (&w)[4]) const {
        const bool right = t > 0.5f;  // of the middle
        const float s = right ? 1 - t : t, outer = 0.5f - s, inner = 0.5f + s;
        const float side = 0.5f * outer * outer, nearest = 0.75f - s * s, other = 0.5f * inner * inner;
        w[0] = right ? 0 : side;
        w[1] = right ? other : nearest;
        w[2] = right ? nearest : other;
        w[3] = right ? side : 0;
    }

    // No weight is negative, and one of each pair is positive: two fetches suffice.
    TS_HD void groups(float t, float (&offset)[2], float (&weight)[2]) const {
        float w[4];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    // β²
    static double weight(double x) {
        const double a = std::abs(x);
        return a >= radius ? 0 : a >= 0.5 ? (radius - a) * (radius - a) / 2 : 0.75 - a * a;
    }

    static double slope(double x) {
        const double a = std::abs(x), sign = x < 0 ? -1 : 1;
        return a >= radius ? 0 : a >= 0.5 ? sign * (a - radius) : -2 * x;
    }
};

// The weights of the samples from the middle outwards that a filter gives to the coefficients of a B-spline.
struct Sharp2013 {
    static constexpr int reach = 1;
    static constexpr double filter[] = {3.0 / 2, -1.0 / 4};
};
struct Sharp2021 {
    static constexpr int reach = 3;
    static constexpr double filter[] = {17.0 / 12, -35.0 / 144, 1.0 / 24, -1.0 / 144};
};

// Σ filter(k) β²(x − k)
template <class Sharp> struct MagicKernelSharp {
    static constexpr int taps = 4 + 2 * Sharp::reach;
    static constexpr double radius = QuadraticBSpline::radius + Sharp::reach;

    static double weight(double x) { return sharpened(x, QuadraticBSpline::weight); }
    static double slope(double x) { return sharpened(x, QuadraticBSpline::slope); }

private:
    static double sharpened(double x, double (*function)(double)) {
        double sum = Sharp::filter[0] * function(x);
        for (int k = 1; k <= Sharp::reach; ++k) sum += Sharp::filter[k] * (function(x - k) + function(x + k));
        return sum;
    }
};

struct MagicKernelSharp2013 : MagicKernelSharp<Sharp2013> {
    static constexpr int fetches = 3;

    TS_HD void weights(float t, float (&w)[taps]) const {
        constexpr float middle = float(Sharp2013::filter[0]), side = float(Sharp2013::filter[1]);
        float smooth[4];
        QuadraticBSpline().weights(t, smooth);
        w[0] = side * smooth[0];
        w[1] = middle * smooth[0] + side * smooth[1];
        w[2] = middle * smooth[1] + side * (smooth[0] + smooth[2]);
        w[3] = middle * smooth[2] + side * (smooth[1] + smooth[3]);
        w[4] = middle * smooth[3] + side * smooth[2];
        w[5] = side * smooth[3];
    }

    // The two middle weights are not negative, the two on each side not positive, and no two are zero together.
    TS_HD void groups(float t, float (&offset)[fetches], float (&weight)[fetches]) const {
        float w[taps];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }
};

const RegisterMethod quadratic(described_by<QuadraticBSpline>({
    .id = "quadratic",
    .family = "quadratic_bspline",
    .group = MethodGroup::spline,
    .name = "Quadratic B-spline",
    .summary =
        "Once continuously differentiable, with three taps around the nearest sample. With the exact prefilter, more "
        "faithful than Catmull–Rom at fewer taps; without it, a blur, known as the Magic Kernel.",
    .paper = "Unser 1999, Splines: a perfect fit for signal and image processing; SciPy's order 2",
    .formula = "abs(x) < 0.5 ? 0.75 - x^2 : (1.5 - abs(x))^2/2",
    .rank = 25,
    .interpolating = true,
    .order = 3,
    .order_unfiltered = 2,
    .smoothness = 1,
    .poles = {-0.17157287525380990240},  // 2√2 − 3
    .hardware_note =
        "Four fetches with linear filtering instead of nine taps: no weight is negative, and neighbours merge in "
        "pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 2e-6,
}));

template <class Kernel> MethodInfo magic_kernel(MethodInfo info) {
    info.family = "quadratic_bspline";
    info.group = MethodGroup::sinc;
    info.paper =
        "Costella 2021, Solving the mystery of Magic Kernel Sharp (johncostella.com/magic); a kernel of libvips and sharp";
    info.interpolating = false;
    info.order = 2;
    info.order_unfiltered = 2;
    info.smoothness = 1;
    info.tolerance = 2e-6;
    if constexpr (Kernel::taps > most_unrolled_taps) return described_by_table<Kernel>(info);
    else return described_by<Kernel>(info);
}

const RegisterMethod mks2013(magic_kernel<MagicKernelSharp2013>({
    .id = "mks2013",
    .name = "Magic Kernel Sharp 2013",
    .summary =
        "The quadratic B-spline after a sharpening by (−1, 6, −1)/4, for resizing photographs: little ringing and few "
        "stairs. It does not quite pass through the samples.",
    .formula = "abs(x) < 0.5 ? 17/16 - 7/4*x^2 : abs(x) < 1.5 ? (4*x^2 - 11*abs(x) + 7)/4 : -(abs(x) - 2.5)^2/8",
    .rank = 28,
    .hardware_note =
        "Nine fetches with linear filtering instead of 25 taps: the two middle weights have one sign, and so have "
        "the two on each side. Each fetch has an 8-bit fraction.",
}));

const RegisterMethod mks2021(magic_kernel<MagicKernelSharp<Sharp2021>>({
    .id = "mks2021",
    .name = "Magic Kernel Sharp 2021",
    .summary =
        "The quadratic B-spline after a sharpening by (−1, 6, −35, 204, −35, 6, −1)/144: within 0.2 % of passing "
        "through the samples, at nine taps per axis.",
    .formula = "abs(x) < 0.5 ? 577/576 - 239/144*x^2 : abs(x) < 1.5 ? (140*x^2 - 379*abs(x) + 239)/144 : "
               "abs(x) < 2.5 ? -(24*x^2 - 113*abs(x) + 130)/144 : abs(x) < 3.5 ? (4*x^2 - 27*abs(x) + 45)/144 : "
               "-(2*abs(x) - 9)^2/1152",
    .rank = 29,
    .hardware_note =
        "None: it has more taps than are merged. Weights come from a table in linear memory on every path.",
}));

}  // namespace
}  // namespace texelscope
