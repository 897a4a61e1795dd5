#include "app/picture/inspect/method_facts.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/text/figures.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/weights/weight_facts.h"

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

namespace {

std::string number(double value) { return with_minus(fmt::format("{:.6g}", value)); }

std::string sum_text(const WeightSum& sum) {
    if (sum.is_one()) return "1 at every phase";
    if (sum.ripple() < 1e-9 * std::max(std::abs(sum.least), std::abs(sum.largest)))
        return number(sum.largest) + " at every phase";
    return fmt::format("{} to {}: a ripple of {:.3g}", number(sum.least), number(sum.largest), sum.ripple());
}

std::string order_text(const ApproximationOrder& order) {
    if (order.order == 0) return fmt::format("0: constants are off by up to {:.3g}", order.constant);
    return fmt::format("{}: error up to {:.4g}·h^{}, {:.4g} on average", order.order, order.constant, order.order,
                       order.l2_constant);
}

std::string smoothness_text(int smoothness) {
    if (smoothness < 0) return "jumps";
    if (smoothness == 0) return "continuous, with kinks";
    return fmt::format("{}{} continuous derivative{}", smoothness >= most_smoothness ? "at least " : "", smoothness,
                       smoothness == 1 ? "" : "s");
}

std::string gain_words(double gain) {
    return gain < 1e-12 ? "nothing" : with_minus(fmt::format("{:.1f} dB", 20 * std::log10(gain)));
}

}  // namespace

const MethodInfo* equal_method(const MethodSpec& spec) {
    constexpr int steps = 128;  // a sample
    for (const MethodInfo* method : all_methods()) {
        if (is_polar(*method)) continue;
        const int reach = (std::max(method->taps, spec.method->taps) + 1) / 2;
        const MethodParameters standard = method->standard_parameters();
        const auto equal = [&](int n) {
            const double x = double(n) / steps;
            return std::abs(method->weight(x, standard) - spec.method->weight(x, spec.parameters)) <= 1e-6;
        };
        bool all = true;
        for (int n = -reach * steps; all && n <= reach * steps; ++n) all = equal(n);
        if (all) return method;
    }
    return nullptr;
}

std::vector<CustomFact> custom_facts(const MethodSpec& spec) {
    const auto weights = spec.method->custom->weights(spec.parameters);
    const auto& pieces = weights->pieces;
    const bool filtered = spec.method->derives_prefilter && !weights->prefilter.filter.empty();
    const std::span<const double> response =
        filtered ? std::span<const double>(weights->prefilter.response) : std::span<const double>();
    const std::string_view with = filtered ? ", with prefilter" : "";
    std::vector<CustomFact> facts;
    const auto add = [&](std::string label, std::string text) { facts.push_back({std::move(label), std::move(text)}); };
    add("sum", sum_text(weight_sum(pieces)));
    add("interpolating", is_interpolating(pieces) ? "yes" : filtered ? "with its prefilter" : "no");
    if (filtered) add("order", order_text(approximation_order(pieces, true)));
    add(filtered ? "without prefilter" : "order", order_text(approximation_order(pieces)));
    add("smooth", smoothness_text(smoothness_of(pieces)));
    const Support support = support_of(pieces);
    add("support",
        with_minus(fmt::format("{:.4g}", support.left)) + " to " + with_minus(fmt::format("{:.4g}", support.right)));
    add("overshoot", fmt::format("{:.2f} % of a step{}", 100 * step_overshoot(pieces, response), with));
    add("passband", fmt::format("{} at half of Nyquist, {} at Nyquist{}", gain_words(gain_at(pieces, 0.25, response)),
                                gain_words(gain_at(pieces, 0.5, response)), with));
    add("images",
        fmt::format("up to {}, of waves up to half of Nyquist{}", gain_words(strongest_image(pieces, response)), with));
    add("derived filter", weights->prefilter.sentence + (spec.method->custom->function().file().prefilter
                                                             ? ""
                                                             : "; not used, because the text says prefilter = none"));
    const int fetches = weights->fetches;
    add("hardware", fetches == 0 ? "no taps can be merged: exact weights"
                    : fetches == 1
                        ? "one fetch"
                        : fmt::format("{} fetches along an axis, {} in an image", fetches, fetches * fetches));
    add("tabulated", fmt::format("in {} pieces, within {:.1e} of the formula", pieces.size(), weights->largest_error));
    if (const MethodInfo* same = equal_method(spec)) add("equals", std::string(same->name));
    return facts;
}

}  // namespace texelscope
