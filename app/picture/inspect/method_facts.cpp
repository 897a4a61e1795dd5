// Facts about methods that follow from their weights, in words: taps, interpolation, what is derived of a custom formula.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "app/picture/inspect/curves.h"
#include "app/text/text.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/weights/weights.h"

namespace texelscope {

std::string taps_words(const MethodInfo& method) {
    if (const PolarInfo* polar = polar_of(method))
        return fmt::format("{:.0f} taps on average, those in a disc of radius {:.3g} samples", samples_of_plane(method),
                           polar->radius);
    return fmt::format("{} taps along each axis", taps_not_zero(method));
}

// Whether a custom method takes coefficients, of the prefilter that is derived or stated.
static bool is_filtered(const MethodSpec& spec, const CustomWeights& weights) {
    return spec.method->derives_prefilter && !weights.prefilter.filter.empty();
}

bool interpolates(const MethodSpec& spec) {
    if (kernel_of(*spec.method)) return false;               // nobody knows
    if (const CustomMethod* custom = spec.method->custom) {  // to the accuracy of its pieces, as the facts say it
        const auto weights = custom->weights(spec.parameters);
        return weights->interpolates(is_filtered(spec, *weights));
    }
    if (spec.method->has_prefilter() || is_polar(*spec.method)) return spec.method->interpolating;
    const std::vector<float> weights = spec.method->tap_weights(0, spec.parameters);
    const size_t sample = (weights.size() - 1) / 2;
    for (size_t k = 0; k < weights.size(); ++k)
        if (weights[k] != (k == sample ? 1.0f : 0.0f)) return false;
    return true;
}

namespace {

std::string number(double value) { return with_minus(fmt::format("{:.6g}", value)); }

// Whether the weights have the same sum at every phase.
bool is_constant(const WeightSum& sum) {
    return sum.ripple() < 1e-9 * std::max(std::abs(sum.least), std::abs(sum.largest));
}

std::string sum_text(const WeightSum& sum) {
    if (sum.is_one()) return "1 at every phase";
    if (is_constant(sum)) return number(sum.largest) + " at every phase";
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

// A derived prefilter follows from the weights; one that is stated may be another than that of the method.
static bool has_filter_of(MethodSpec spec, const MethodInfo& method) {
    if (!spec.method->custom->weights(spec.parameters)->stated) return true;
    spec.prefilter = {};
    const MethodCurves stated(spec), own(method);
    double apart = 0;
    for (const double f : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5})
        apart = std::max(apart, std::abs(own.prefilter_gain(f) - stated.prefilter_gain(f)));
    return apart < 1e-6;
}

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
        if (all && has_filter_of(spec, *method)) return method;
    }
    return nullptr;
}

std::string unequal_sum(const MethodSpec& spec) {
    const auto weights = spec.method->custom->weights(spec.parameters);
    const ApproximationOrder order = weights->order(is_filtered(spec, *weights));
    if (order.order > 0 || order.constant < 1e-6) return "";
    const WeightSum sum = weight_sum(weights->pieces);
    const std::string much = fmt::format("{:.3g} %", 100 * order.constant);
    const auto& b = weights->prefilter.response;
    const double gain = weights->stated ? std::reduce(b.begin(), b.end()) : 1;
    if (is_constant(sum))
        return fmt::format("The weights sum to {}, not to 1{}: even areas are {} too {}.{}", number(gain * sum.largest),
                           weights->stated ? ", with the prefilter" : "", much,
                           gain * sum.largest > 1 ? "bright" : "dark",
                           weights->stated ? "" : " Write normalise = yes.");
    const double radius = support_of(weights->pieces).right, edge = spec.method->weight(radius - 1e-9, spec.parameters);
    const std::string cut =
        fmt::format("The radius cuts the function at ±{}, where it is {:.2g}: is it too small?", number(radius), edge);
    return fmt::format("The weights sum to {} to {}, not to 1{}: even areas get a pattern of up to {}. {}",
                       number(sum.least), number(sum.largest),
                       is_filtered(spec, *weights) ? ", also with the prefilter" : "", much,
                       std::abs(edge) < 0.05 ? "Write normalise = yes." : cut);
}

std::vector<CustomFact> custom_facts(const MethodSpec& spec) {
    const auto weights = spec.method->custom->weights(spec.parameters);
    const auto& pieces = weights->pieces;
    const bool filtered = is_filtered(spec, *weights);
    const std::span<const double> response =
        filtered ? std::span<const double>(weights->prefilter.response) : std::span<const double>();
    const std::string_view with = filtered ? ", with prefilter" : "";
    std::vector<CustomFact> facts;
    const auto add = [&](std::string label, std::string text) { facts.push_back({std::move(label), std::move(text)}); };
    add("sum", sum_text(weight_sum(pieces)));
    add("interpolating", !weights->interpolates(filtered)            ? "no"
                         : filtered && !weights->interpolates(false) ? "with its prefilter"
                                                                     : "yes");
    if (filtered) add("order", order_text(weights->order(true)));
    add(filtered ? "without prefilter" : "order", order_text(weights->order(false)));
    add("smooth", smoothness_text(smoothness_of(pieces)));
    const Support support = support_of(pieces);
    add("support", fmt::format("{} to {}", number(support.left), number(support.right)));
    add("overshoot", fmt::format("{:.2f} % of a step{}", 100 * step_overshoot(pieces, response), with));
    add("passband", fmt::format("{} at half of Nyquist, {} at Nyquist{}", gain_words(gain_at(pieces, 0.25, response)),
                                gain_words(gain_at(pieces, 0.5, response)), with));
    add("images",
        fmt::format("up to {}, of waves up to half of Nyquist{}", gain_words(strongest_image(pieces, response)), with));
    add(weights->stated ? "stated filter" : "derived filter",
        weights->prefilter.sentence + (spec.method->custom->function().file().prefilter
                                           ? ""
                                           : "; not used, because the text says prefilter = none"));
    const int fetches = weights->fetches;
    add("hardware", fetches == 0 ? "no taps can be merged: exact weights"
                    : fetches == 1
                        ? "one fetch"
                        : fmt::format("{} fetches along an axis, {} in an image", fetches, fetches * fetches));
    const double error = weights->largest_error;
    const std::string near = error == 0 ? "equal to" : fmt::format("within {:.1e} of", error);
    add("tabulated", fmt::format("in {} pieces, {} the formula", pieces.size(), near));
    if (const MethodInfo* same = equal_method(spec)) add("equals", std::string(same->name));
    return facts;
}

}  // namespace texelscope
