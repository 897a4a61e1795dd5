// Gaussian of a chosen width, normalised for each phase so that a constant stays one. A blur.

#include "gpu/method/resample.h"

namespace texelscope {
namespace {

class Gaussian {
public:
    static constexpr int taps = 8, fetches = 4;

    explicit Gaussian(const MethodParameters& p)
        : rate_(0.5 / (p.value[0] * p.value[0])),
          end_(std::exp(-rate_ * radius * radius)),
          float_rate_(float(rate_)),
          float_end_(float(end_)) {}

    TS_HD void weights(float t, float (&w)[taps]) const {
        const float u = 1 - t;
        float sum = 0;
        TS_UNROLL
        for (int i = 0; i < taps; ++i) {
            const float d = i < radius ? t + float(radius - 1 - i) : u + float(i - radius);
            const float beyond = float_rate_ * (radius * radius - d * d);
            const float value = expf(-float_rate_ * (d * d)) - float_end_ * (1 + beyond);
            w[i] = d < radius && value > 0 ? value : 0.0f;  // rounding must not add a sign
            sum += w[i];
        }
        normalise(w, sum);
    }

    // No weight is negative, and one of each pair is at most three samples away and positive: four fetches suffice.
    TS_HD void groups(float t, float (&offset)[fetches], float (&weight)[fetches]) const {
        float w[taps];
        weights(t, w);
        merge_pairs(w, offset, weight);
    }

    double weight(double x) const { return undivided(x) / phase_sum(x, &Gaussian::undivided); }

    // exp(−x²/2σ²) minus the parabola that touches it at ±radius: reaches zero there, and so does its slope.
    double undivided(double x) const {
        if (std::abs(x) >= radius) return 0;
        return std::exp(-rate_ * x * x) - end_ * (1 + rate_ * (radius * radius - x * x));
    }

    // Quotient rule over the phase's sum.
    double slope(double x) const {
        const double sum = phase_sum(x, &Gaussian::undivided);
        return (raw_slope(x) * sum - undivided(x) * phase_sum(x, &Gaussian::raw_slope)) / (sum * sum);
    }

private:
    static constexpr int radius = taps / 2;

    double raw_slope(double x) const {
        return std::abs(x) < radius ? -2 * rate_ * x * (std::exp(-rate_ * x * x) - end_) : 0;
    }

    double phase_sum(double x, double (Gaussian::*function)(double) const) const {
        double sum = 0;
        for (double at = x - std::floor(x) - radius; at < radius; at += 1) sum += (this->*function)(at);
        return sum;
    }

    double rate_, end_;  // 1 / 2σ², and the Gaussian at the radius
    float float_rate_, float_end_;
};

const RegisterMethod registration(described_by<Gaussian>({
    .id = "gaussian",
    .family = "gaussian",
    .group = MethodGroup::simple,
    .name = "Gaussian",
    .summary = "Blurs with a Gaussian of standard deviation sigma; never overshoots, and does not pass through the "
               "samples.",
    .paper = "Turkowski 1990, Filters for common resampling tasks",
    .formula = "exp(-x^2/(2*sigma^2)) - exp(-8/sigma^2)*(1 + (16 - x^2)/(2*sigma^2))",
    .formula_divided = true,
    .rank = 18,
    .interpolating = false,
    .order = 1,
    .order_unfiltered = 1,
    .smoothness = 1,
    .hardware_note = "16 fetches with linear filtering instead of 64 taps: all weights are positive and merge in "
                     "pairs. Each fetch has an 8-bit fraction.",
    .tolerance = 2e-6,
    .parameters = {{"sigma", "σ", "samples", 0.35, 1, 0.5, "Standard deviation: 0.35 is nearly sharp, 1 a blur."}},
}));

}  // namespace
}  // namespace texelscope
