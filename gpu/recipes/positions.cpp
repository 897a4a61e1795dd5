// Where the pixels of a rule read, in the arithmetic of its library; and the coefficients that they read there.

#include <cmath>

#include "gpu/method/spec.h"
#include "gpu/prefilter/prefilter.h"
#include "gpu/recipes/rule.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {

namespace {

// Pixel i of N by way of a float32 coordinate from −1 to 1. torch.linspace goes up from −1 and down from 1, by fused
// multiply-add, in groups of eight that share the first one's; affine_grid takes the pixels' areas of it, if `areas`.
double grid_position(double at, int samples, int pixels, bool areas) {
    if (pixels <= 1) return areas ? 0.5 * samples - 0.5 : 0.5 * (samples - 1);
    const float step = 2.0f / float(pixels - 1);
    const auto coordinate = [&](int i) {
        return i < pixels / 2 ? std::fmaf(step, float(i), -1) : std::fmaf(-step, float(pixels - i - 1), 1);
    };
    const int i = int(at), k = i >= 0 && i < pixels / 16 * 16 ? i % 8 : 0;
    const float ahead = step * float(k);
    float g = float(double(coordinate(i - k)) + double(ahead));  // rounded each, never fused
    if (!areas) return double((g + 1) * (float(samples - 1) / 2));
    g = g * float(pixels - 1) / float(pixels);
    return double(std::fmaf(g + 1, float(samples) / 2, -0.5f));
}

// By one pixel of N: v times n / N samples, (n − 1) / (N − 1) or what the factor says, as the rule computes that.
template <class Real> Real scaled(const Rule& rule, const ResizedAxis& axis, bool corners, Real v) {
    const double whole = rule.span > 0 ? rule.span : axis.samples;
    const Real samples = Real(corners ? whole - 1 : whole), pixels = Real(corners ? axis.pixels - 1 : axis.pixels);
    const bool given = rule.factor && !corners;
    const auto factor = [&]<class F>(F) {
        return given ? F(*rule.factor) : F(samples == 0 ? 1 : F(pixels) / F(samples));
    };
    switch (rule.stepping) {
        case Stepping::sizes:
        case Stepping::step:
        case Stepping::reciprocal:
        case Stepping::added:
        case Stepping::summed:
        case Stepping::grid: {
            const Real step = given ? Real(1 / *rule.factor) : Real(samples / pixels);
            const bool single =
                rule.position_precision == Precision::steps || rule.position_precision == Precision::rounded;
            return v * (single ? Real(float(step)) : step);
        }
        case Stepping::quotient: return given ? Real(v / Real(*rule.factor)) : Real(Real(v * samples) / pixels);
        case Stepping::factor: return v / factor(Real());
        case Stepping::inverse: return v * Real(1.0 / double(factor(Real())));
        case Stepping::rounded_inverse: return v * Real(1.0 / factor(double()));
        case Stepping::one_based: break;
    }
    return v;
}

template <class Real> double position(const Rule& rule, const ResizedAxis& axis, double i) {
    const Real n = Real(axis.samples), half = Real(0.5), at = Real(i);
    if (rule.stepping == Stepping::grid && axis.of_whole_pixels())
        return grid_position(i, axis.samples, int(axis.pixels), rule.alignment == Alignment::centers);
    switch (rule.alignment) {
        case Alignment::centers:
            if (rule.stepping == Stepping::added || rule.stepping == Stepping::reciprocal) {
                const Real step = rule.factor ? Real(1 / *rule.factor) : 1 / Real(Real(axis.pixels) / n);
                return rule.stepping == Stepping::added ? double(Real(step * half)) + i * double(step) - 0.5
                                                        : double(Real(step * (at + half))) - 0.5;
            }
            if (rule.stepping == Stepping::one_based) {
                const double factor = rule.factor.value_or(axis.pixels / axis.samples);
                return double(Real(0.5 + 1 / factor / 2 + i / factor)) - 1;
            }
            return double(Real(scaled(rule, axis, false, Real(at + half)) - half));
        case Alignment::corners: return axis.pixels > 1 ? double(scaled(rule, axis, true, at)) : 0;
        case Alignment::asymmetric: return double(scaled(rule, axis, false, at));
        case Alignment::corner_areas:
            return axis.pixels > 1 ? double(Real(scaled(rule, axis, true, Real(at + half)) - half)) : -0.5;
        case Alignment::half_pixels: return double(scaled(rule, axis, false, Real(at + half)));
        case Alignment::symmetric: {
            const Real factor = Real(rule.factor.value_or(axis.pixels / axis.samples)),
                       ends = Real(n / 2) * Real(1 - Real(axis.pixels) / Real(factor * n));
            return double(Real(double(ends) + (i + 0.5) / double(factor) - 0.5));
        }
        case Alignment::region: {
            const Real from = Real(rule.region_from), to = Real(rule.region_to), last = n - 1;
            if (axis.pixels <= 1) return double(Real(0.5 * double(Real(from + to)) * double(last)));
            return double(
                Real(Real(from * last) + Real(Real(Real(at * Real(to - from)) * last) / Real(axis.pixels - 1))));
        }
    }
    return 0;
}

}  // namespace

double position_of(const Rule& rule, const ResizedAxis& axis, double i) {
    // A nearest sample at a tie depends on the last bit: from whole sizes the position is a quotient, computed once.
    const bool exact = rule.tap_rule == TapRule::nearest &&
                       (rule.stepping == Stepping::sizes || rule.stepping == Stepping::summed) && !rule.factor &&
                       rule.position_precision != Precision::float32 && rule.span == 0;
    double x = rule.position_precision == Precision::float32 ? position<float>(rule, axis, i)
                                                             : position<double>(rule, axis, i);
    if (exact && rule.alignment == Alignment::centers)
        x = ((2 * i + 1) * axis.samples - axis.pixels) / (2 * axis.pixels);
    if (exact && rule.alignment == Alignment::asymmetric) x = i * axis.samples / axis.pixels;
    if (exact && rule.alignment == Alignment::corners && axis.pixels > 1)
        x = i * (axis.samples - 1) / (axis.pixels - 1);
    if (rule.position_precision == Precision::rounded) x = float(x);
    x += rule.position_shift;
    if (rule.position_steps > 0) x = rounded(x * rule.position_steps, rule.position_rounding) / rule.position_steps;
    return x;
}

// B-spline coefficients along an axis, made once for all points that read them.

namespace {

// So many samples beyond an edge from which on the same sample is repeated, coefficients are that sample.
constexpr int settled_after = 48;

// What a coefficient is made of, until less than 1e-11 of the largest weight is left.
Row inverse_of(const MethodSpec& spec) {
    const PrefilterKernel kernel = prefilter_kernel(spec.effective_prefilter(), spec.inverse_filter());
    const int reach = kernel.recursive ? kernel.horizon_double : kernel.half_taps;
    const auto weight = [&](int k) {
        if (!kernel.recursive) return kernel.taps[size_t(k)];
        double sum = 0;
        for (int p = 0; p < kernel.poles; ++p) sum += kernel.gain[size_t(p)] * std::pow(kernel.pole[size_t(p)], k);
        return sum;
    };
    int last = reach;
    while (last > 0 && std::abs(weight(last)) < 1e-11 * std::abs(weight(0))) --last;
    Row row{-last, {}};
    for (int k = -last; k <= last; ++k) row.weights.push_back(weight(std::abs(k)));
    return row;
}

}  // namespace

std::optional<RuleTaps> taken_prefilter(Rule& rule, int samples) {
    if (rule.tap_rule != TapRule::weights || !rule.prefilter || rule.widened || rule.bits > 0 || rule.blur.sigma > 0 ||
        rule.coefficients || !rule.edges || rule.weight.find('\n') != std::string::npos)
        return {};
    const MethodSpec spec = parse_spec(rule.weight);
    if (!spec.filters()) return {};
    const bool symmetric = *rule.edges == AddressMode::mirror || *rule.edges == AddressMode::reflect101 ||
                           *rule.edges == AddressMode::wrap;
    const bool endless = !symmetric && rule.padding == 0;
    if (endless) rule.padding = settled_after;
    const Row inverse = inverse_of(spec);
    std::vector<Row> rows;
    RuleTaps taps;
    for (int q = -rule.padding; q < samples + rule.padding; ++q) {
        const Row row{inverse.first + q, inverse.weights};
        rows.push_back(rule.padding > 0 && !endless ? folded_padding(row, *rule.edges, rule.padding, samples)
                                                    : folded(row, *rule.edges, samples));
        taps.taps = std::max(taps.taps, int(rows.back().weights.size()));
    }
    taps.weights.assign(rows.size() * size_t(taps.taps), 0.0);
    for (size_t i = 0; i < rows.size(); ++i) {
        // All within the image: shorter rows end where the window would leave it.
        const int first = std::max(std::min(rows[i].first, samples - taps.taps), 0);
        const size_t shift = size_t(rows[i].first - first);
        taps.first.push_back(first);
        for (size_t k = 0; k < rows[i].weights.size(); ++k)
            taps.weights[i * size_t(taps.taps) + k + shift] = rows[i].weights[k];
    }
    rule.prefilter = false;
    rule.coefficients = true;
    return taps;
}

}  // namespace texelscope
