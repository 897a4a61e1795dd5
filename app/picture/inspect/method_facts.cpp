#include "app/picture/inspect/method_facts.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {

std::optional<FetchFractions> fetch_fractions(const MethodSpec& spec) {
    if (spec.method->taps != 4 || is_polar(*spec.method)) return {};
    constexpr int steps = 4096;
    FetchFractions all{{1e300, -1e300}, {1e300, -1e300}};
    const auto widen = [](FetchFraction& range, double a, double b) {
        if (a + b == 0) return;  // no fetch at all
        range.minimum = std::min(range.minimum, b / (a + b));
        range.maximum = std::max(range.maximum, b / (a + b));
    };
    for (int i = 0; i < steps; ++i) {
        const double t = double(i) / steps;
        const auto w = [&](int k) { return spec.method->weight(t - k, spec.parameters); };
        widen(all.h0, w(-1), w(0));
        widen(all.h1, w(1), w(2));
    }
    return all;
}

std::string taps_words(const MethodInfo& method) {
    if (const PolarInfo* polar = polar_of(method))
        return fmt::format("{:.0f} taps on average, those in a disc of radius {:.3g} samples", samples_of_plane(method),
                           polar->radius);
    return fmt::format("{} taps along each axis", method.taps);
}

bool interpolates(const MethodSpec& spec) {
    if (kernel_of(*spec.method)) return false;  // nobody knows
    if (spec.method->has_prefilter() || is_polar(*spec.method)) return spec.method->interpolating;
    const std::vector<float> weights = spec.method->tap_weights(0, spec.parameters);
    const size_t sample = (weights.size() - 1) / 2;
    for (size_t k = 0; k < weights.size(); ++k)
        if (weights[k] != (k == sample ? 1.0f : 0.0f)) return false;
    return true;
}

}  // namespace texelscope
