// Lanczos 2, 3 and 4: the sinc under a wider sinc, normalised for each phase so that a constant stays one.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

constexpr double pi = 3.14159265358979323846;

template <int lobes> struct Lanczos {
    static constexpr int taps = 2 * lobes, fetches = 2 * lobes - 1;

    // sin(π(t − k)) is ± sin(πt) for every tap. The sum of the taps' weights is divided out.
    TS_HD void weights(float t, float (&w)[taps]) const {
        const float sine = float(lobes / (pi * pi)) * sin_pi(t < 0.5f ? t : 1 - t);
        float sum = 0;
        TS_UNROLL
        for (int i = 0; i < taps; ++i) {
            const float d = t - float(i - lobes + 1);  // from the tap, in (−lobes, lobes)
            w[i] = windowed_sinc(d, (i - lobes + 1) % 2 == 0 ? sine : -sine);
            sum += w[i];
        }
        normalise(w, sum);
    }

    // The two middle weights are positive and share a fetch; around them the signs alternate, and every tap needs its
    // own fetch.
    TS_HD void groups(float t, float (&offset)[fetches], float (&weight)[fetches]) const {
        float w[taps];
        weights(t, w);
        merge_middle(w, offset, weight);
    }

    static double weight(double x) {
        if (std::abs(x) >= lobes) return 0;
        return undivided(x) / phase_sum(x, undivided);
    }

    static double undivided(double x) {
        if (std::abs(x) >= lobes) return 0;
        if (x == std::floor(x)) return x == 0 ? 1 : 0;
        return lobes * std::sin(pi * x) * std::sin(pi * x / lobes) / (pi * pi * x * x);
    }

    // Quotient rule over the phase's sum.
    static double slope(double x) {
        if (std::abs(x) >= lobes) return 0;
        const double sum = phase_sum(x, undivided);
        return (raw_slope(x) * sum - undivided(x) * phase_sum(x, raw_slope)) / (sum * sum);
    }

private:
    // sin(πx), |x| ≤ 1. The library's sine for angles of any size would be most of the kernel's code.
    TS_HD static float sin_pi(float x) {
#if defined(__CUDA_ARCH__)
        return sinpif(x);
#else
        return sinf(float(pi) * x);
#endif
    }

    // sine: lobes/π² · sin(πd)
    TS_HD static float windowed_sinc(float d, float sine) {
        if (fabsf(d) >= lobes) return 0;
        if (fabsf(d) < 1e-6f) return 1;  // to 1e-11; the square of a tiny d would underflow
        return sine * sin_pi(d * (1.0f / lobes)) / (d * d);
    }

    static double raw_slope(double x) {
        if (std::abs(x) >= lobes) return 0;
        if (std::abs(x) < 1e-4) return -pi * pi / 3 * (1 + 1.0 / (lobes * lobes)) * x;
        const double a = pi * x, b = pi * x / lobes;
        const double sines = std::sin(a) * std::sin(b);
        return lobes / (pi * pi * x * x) *
               (pi * std::cos(a) * std::sin(b) + pi / lobes * std::sin(a) * std::cos(b) - 2 / x * sines);
    }
    template <class Function> static double phase_sum(double x, Function function) {
        double sum = 0;
        for (double at = x - std::floor(x) - lobes; at < lobes; at += 1) sum += function(at);
        return sum;
    }
};

template <int lobes> MethodInfo lanczos(MethodInfo info) {
    info.family = "lanczos";
    info.group = MethodGroup::sinc;
    info.paper =
        "Duchon 1979, Lanczos filtering in one and two dimensions; Turkowski 1990, Filters for common "
        "resampling tasks";
    info.interpolating = true;
    info.order = 1;
    info.order_unfiltered = 1;
    info.smoothness = 1;
    info.hardware_note = middle_pair_note(2 * lobes);
    info.tolerance = 2e-6;
    return described_by<Lanczos<lobes>>(info);
}

const RegisterMethod lanczos2(lanczos<2>({
    .id = "lanczos2",
    .name = "Lanczos 2",
    .summary = "Sinc windowed by a wider sinc, two lobes; very similar to Catmull–Rom.",
    .formula = "sinc(x)*sinc(x/2)",
    .formula_divided = true,
    .rank = 11,
}));

const RegisterMethod lanczos3(lanczos<3>({
    .id = "lanczos3",
    .name = "Lanczos 3",
    .summary = "Sinc windowed by a wider sinc, three lobes; sharp, with ringing at edges. The usual choice for "
               "resizing photographs.",
    .formula = "sinc(x)*sinc(x/3)",
    .formula_divided = true,
    .rank = 6,
}));

const RegisterMethod lanczos4(lanczos<4>({
    .id = "lanczos4",
    .name = "Lanczos 4",
    .summary = "Sinc windowed by a wider sinc, four lobes; the sharpest of the three, and the one that rings the most.",
    .formula = "sinc(x)*sinc(x/4)",
    .formula_divided = true,
    .rank = 12,
}));

}  // namespace
}  // namespace texelscope
