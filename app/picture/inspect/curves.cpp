#include "app/picture/inspect/curves.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

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

std::complex<double> MethodCurves::response(double frequency, double t) const {
    std::complex<double> sum = 0;
    for (int k = int(std::floor(t - radius())); k <= int(std::ceil(t + radius())); ++k)
        sum += weight(t - k) * std::polar(1.0, -2 * pi * frequency * (t - k));
    return sum * prefilter_gain(frequency);
}

double MethodCurves::largest_error(double frequency) const {
    double largest = 0;
    for (int k = 0; k <= 32; ++k) largest = std::max(largest, std::abs(response(frequency, k / 32.0) - 1.0));
    return largest;
}

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

CurvesReport::Curve order_curve(const MethodSpec& spec, int points) {
    if (!spec.method->weight || is_polar(*spec.method)) return {};
    const MethodCurves curves(spec);
    CurvesReport::Curve curve;
    for (int k = 0; k < points; ++k) {
        curve.x.push_back(least_period * std::pow(largest_period / least_period, double(k) / (points - 1)));
        curve.y.push_back(curves.largest_error(1 / curve.x.back()));
    }
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

}  // namespace texelscope
