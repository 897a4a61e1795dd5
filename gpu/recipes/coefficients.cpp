// B-spline coefficients along an axis, made once for all points that read them.

#include <cmath>

#include "gpu/method/spec.h"
#include "gpu/prefilter/prefilter.h"
#include "gpu/recipes/rule.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {
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
    if (!spec.method->has_prefilter() || spec.effective_prefilter().kind == Prefilter::Kind::none) return {};
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
