#include "app/docs/method_curves.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "gpu/prefilter/filter.h"

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

MethodCurves::MethodCurves(const MethodInfo& method) : method_(method), parameters_(method.standard_parameters()) {}

double MethodCurves::weight(double x) const { return method_.weight(x, parameters_); }

double MethodCurves::cardinal(double x) const {
    if (!method_.has_prefilter()) return weight(x);
    const PrefilterKernel kernel = prefilter_kernel({Prefilter::Kind::iir}, method_.poles);
    double sum = 0;
    for (int k = int(std::ceil(x - radius())); k <= int(std::floor(x + radius())); ++k) {
        double coefficient = 0;
        for (int i = 0; i < kernel.poles; ++i)
            coefficient += kernel.gain[size_t(i)] * std::pow(kernel.pole[size_t(i)], std::abs(k));
        sum += coefficient * weight(x - k);
    }
    return sum;
}

double MethodCurves::spectrum(double frequency) const {
    double sum = 0;
    for (double begin = 0; begin < radius(); begin += piece)
        for (const Node& node : nodes()) {
            const double x = begin + piece * (1 + node.at) / 2;
            sum += node.weight * weight(x) * std::cos(2 * pi * frequency * x);
        }
    return sum * piece;  // half a piece for the quadrature, twice for both sides
}

double MethodCurves::cardinal_spectrum(double frequency) const {
    if (!method_.has_prefilter()) return spectrum(frequency);
    double sampled = weight(0);
    for (int k = 1; k <= radius(); ++k) sampled += 2 * weight(k) * std::cos(2 * pi * frequency * k);
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
