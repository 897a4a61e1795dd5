#include "app/picture/inspect/method_curves.h"
#include "gpu/method/custom_method.h"
#include "gpu/weights/weight_facts.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

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
    : method_(*spec.method),
      parameters_(spec.parameters),
      filters_(spec.effective_prefilter().kind != Prefilter::Kind::none) {
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

double MethodCurves::cardinal_spectrum(double frequency) const {
    if (!filters_) return spectrum(frequency);
    const auto wave = [&](int k) { return std::cos(2 * pi * frequency * k); };
    if (!kernel_.recursive) {
        double response = kernel_.taps[0];
        for (int k = 1; k <= kernel_.half_taps; ++k) response += 2 * kernel_.taps[size_t(k)] * wave(k);
        return spectrum(frequency) * response;
    }
    double sampled = weight(0);
    for (int k = 1; k <= radius(); ++k) sampled += 2 * weight(k) * wave(k);
    return spectrum(frequency) / sampled;
}

double decibels(double gain) { return 20 * std::log10(std::abs(gain)); }

SpectrumFigures spectrum_figures(const MethodInfo& method) {
    const MethodCurves curves(method);
    double images = 0;
    for (double f = 0.75; f <= 4; f += 1.0 / 512) images = std::max(images, std::abs(curves.cardinal_spectrum(f)));
    return {decibels(curves.cardinal_spectrum(0.25)), decibels(curves.cardinal_spectrum(0.5)), decibels(images)};
}

}  // namespace texelscope
