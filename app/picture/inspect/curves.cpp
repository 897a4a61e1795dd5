#include "app/picture/inspect/curves.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "app/text/text.h"
#include "gpu/backend/source_image.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

constexpr double pi = std::numbers::pi;

struct Node {
    double at, weight;
};

// Nodes and weights of Gauss–Legendre quadrature on [−1, 1]: the zeros of P_n by Newton's method from the usual start.
std::vector<Node> gauss_legendre(int n) {
    std::vector<Node> nodes;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 1;
        for (int step = 0; step < 50; ++step) {
            double p = x, before = 1;  // P₁ and P₀
            for (int k = 2; k <= n; ++k) {
                const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            slope = n * (x * p - before) / (x * x - 1);
            const double change = p / slope;
            x -= change;
            if (std::abs(change) < 1e-15) break;
        }
        nodes.push_back({x, 2 / ((1 - x * x) * slope * slope)});
    }
    return nodes;
}

// Weight functions are smooth between multiples of half a sample; up to 4 cycles per sample there are at most two
// periods on such a piece, for which 24 nodes are exact to rounding.
constexpr double piece = 0.5;
const std::vector<Node>& nodes() {
    static const std::vector<Node> result = gauss_legendre(24);
    return result;
}

}  // namespace

MethodCurves::MethodCurves(const MethodSpec& spec)
    : method_(*spec.method), parameters_(spec.parameters), filters_(spec.filters()) {
    if (filters_) kernel_ = prefilter_kernel(spec.prefilter, spec.inverse_filter());
}

MethodCurves::MethodCurves(const MethodInfo& method) : MethodCurves(default_spec(method)) {}

double MethodCurves::weight(double x) const { return method_.weight(x, parameters_); }

double MethodCurves::cardinal(double x) const {
    if (!filters_) return weight(x);
    double sum = 0;
    for (int k = int(std::ceil(x - radius())); k <= int(std::floor(x + radius())); ++k)
        sum += filter_response(k) * weight(x - k);
    return sum;
}

// b(k) of the prefilter.
double MethodCurves::filter_response(int k) const {
    const int distance = std::abs(k);
    if (!kernel_.recursive) return distance <= kernel_.half_taps ? kernel_.taps[size_t(distance)] : 0;
    double b = 0;
    for (int i = 0; i < kernel_.poles; ++i) b += kernel_.gain[size_t(i)] * std::pow(kernel_.pole[size_t(i)], distance);
    return b;
}

double MethodCurves::spectrum(double frequency) const {
    if (method_.custom) return spectrum_at(method_.custom->weights(parameters_)->pieces, frequency);
    const bool polar = is_polar(method_);
    double sum = 0;
    for (double begin = 0; begin < radius(); begin += piece) {
        const double length = std::min(piece, radius() - begin);
        for (const Node& node : nodes()) {
            const double x = begin + length * (1 + node.at) / 2, phase = 2 * pi * frequency * x;
            const double wave = polar ? pi * x * ::j0(phase) : std::cos(phase);
            sum += length * node.weight * weight(x) * wave;
        }
    }
    return sum;  // half a piece for the quadrature, doubled for both sides
}

double MethodCurves::cardinal_spectrum(double f) const { return spectrum(f) * prefilter_gain(f); }

double MethodCurves::prefilter_gain(double f) const { return filters_ ? gain_of(kernel_, 2 * pi * f) : 1; }

double decibels(double gain) { return 20 * std::log10(std::abs(gain)); }

SpectrumFigures spectrum_figures(const MethodInfo& method) {
    const MethodCurves curves(method);
    double images = 0;
    for (double f = 0.75; f <= 4; f += 1.0 / 512) images = std::max(images, std::abs(curves.cardinal_spectrum(f)));
    return {decibels(curves.cardinal_spectrum(0.25)), decibels(curves.cardinal_spectrum(0.5)), decibels(images)};
}

namespace {

// The effect of the nearest edge is below float32's precision there: |z|^32 < 1e-8 for every pole.
constexpr int centre = 32;

// Columns from `first` to `last` are 1, all others 0.
Image columns(int first, int last) {
    Image image(2 * centre + 1, 2 * centre + 1, 1, SampleType::f32);
    for (int y = 0; y < image.height(); ++y)
        for (int x = first; x <= last; ++x) image.row_as<float>(y)[x] = 1;
    return image;
}

std::vector<double> spaced(double from, double to, int points) {
    std::vector<double> x;
    for (int k = 0; k < points; ++k) x.push_back(std::lerp(from, to, points > 1 ? double(k) / (points - 1) : 0));
    return x;
}

CurvesReport::Curve measured(SourceImage& source, const MethodSpec& spec, std::vector<double> x) {
    std::vector<double> pairs;
    for (const double distance : x) {
        pairs.push_back(centre + distance);
        pairs.push_back(centre);
    }
    const std::vector<float> values = source.sample_to_host({.spec = spec}, PointsView::pairs(pairs.data(), x.size()));
    return {std::move(x), {values.begin(), values.end()}};
}

}  // namespace

CurvesReport::Curve weight_curve(const MethodSpec& spec, double from, double to, int points) {
    if (kernel_of(*spec.method)) return {};  // it has no weight function
    const MethodCurves curves(spec);
    const bool jumps = spec.method->smoothness < 0;
    CurvesReport::Curve curve;
    const auto add = [&](double x, double y) {
        curve.x.push_back(x);
        curve.y.push_back(y);
    };
    double before = from;
    for (const double x : spaced(from, to, points)) {
        for (const double edge : {-curves.radius(), curves.radius()})
            if (jumps && edge > before && edge <= x) {
                add(edge, curves.weight(edge - 1e-9));
                add(edge, curves.weight(edge + 1e-9));
            }
        if (!jumps || std::abs(x) != curves.radius()) add(x, curves.weight(x));
        before = x;
    }
    return curve;
}

CurvesReport::Curve spectrum_curve(const MethodSpec& spec, double from, double to, int points) {
    if (kernel_of(*spec.method)) return {};
    const MethodCurves curves(spec);
    CurvesReport::Curve curve{spaced(from, to, points), {}};
    for (const double frequency : curve.x) curve.y.push_back(decibels(curves.cardinal_spectrum(frequency)));
    return curve;
}

CurvesReport::Curve prefilter_curve(const MethodSpec& spec, double from, double to, int points) {
    if (kernel_of(*spec.method)) return {};
    const MethodCurves curves(spec);
    if (!curves.filters()) return {};
    CurvesReport::Curve curve{spaced(from, to, points), {}};
    for (const double frequency : curve.x) curve.y.push_back(decibels(curves.prefilter_gain(frequency)));
    return curve;
}

MeasuredCurves::MeasuredCurves(const std::shared_ptr<Backend>& backend)
    : impulse_(backend, columns(centre, centre)), step_(backend, columns(centre, 2 * centre)) {}

CurvesReport::Curve MeasuredCurves::impulse(const MethodSpec& spec, double from, double to, int points) {
    return measured(impulse_, spec, spaced(from, to, points));
}

CurvesReport::Curve MeasuredCurves::step(const MethodSpec& spec, double from, double to, int points) {
    return measured(step_, spec, spaced(from, to, points));
}

namespace {

// The taps that the method's own code merges, found from the fetch positions: a single tap is exactly on its sample.
// The rest is counted, since the second weight of a pair can be too small to show in a float32 offset.
std::vector<CurvesReport::Fetch> fetched_taps(const MethodSpec& spec) {
    const std::vector<FilteredFetch> fetches = spec.method->filtered_fetches(0.3f, spec.parameters);
    std::vector<CurvesReport::Fetch> result;
    int next = 1 - spec.method->taps / 2, pairs = spec.method->taps - int(fetches.size());
    for (size_t i = 0; i < fetches.size(); ++i) {
        const bool all_are_pairs = pairs == int(fetches.size() - i);
        const bool pair = all_are_pairs || (pairs > 0 && fetches[i].offset != float(next));
        result.push_back({.first = next, .taps = pair ? 2 : 1});
        next += result.back().taps;
        pairs -= pair;
    }
    return result;
}

}  // namespace

std::vector<CurvesReport::Fetch> fetch_curves(const MethodSpec& spec, double from, double to, int points) {
    std::vector<CurvesReport::Fetch> fetches = fetched_taps(spec);
    from = std::clamp(from, 0.0, 1.0);
    to = std::clamp(to, 0.0, 1.0);
    for (CurvesReport::Fetch& fetch : fetches)
        for (int k = 0; k < points; ++k) {
            const double t = std::lerp(from, to, points > 1 ? double(k) / (points - 1) : 0);
            const auto weight = [&](int tap) { return spec.method->weight(t - tap, spec.parameters); };
            const double second = fetch.taps == 2 ? weight(fetch.first + 1) : 0, g = weight(fetch.first) + second;
            const double h = fetch.taps == 2 ? fetch.first + second / g : fetch.first;
            fetch.weight.x.push_back(t);
            fetch.weight.y.push_back(g);
            fetch.place.x.push_back(t);
            fetch.place.y.push_back(h);
        }
    return fetches;
}

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
