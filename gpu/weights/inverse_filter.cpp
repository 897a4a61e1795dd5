#include "gpu/weights/inverse_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gpu/weights/poles.h"

namespace texelscope {
namespace {

using Complex = std::complex<double>;

struct Samples {
    int reach;
    std::vector<double> p;  // w(−reach) … w(reach)
    double at(int k) const { return p[size_t(k + reach)]; }

    Complex response(double angle) const {
        Complex sum = 0;
        for (int k = -reach; k <= reach; ++k) sum += at(k) * std::polar(1.0, -angle * k);
        return sum;
    }
};

// All roots at the same time (Durand–Kerner), of Σ c[n] zⁿ with c.back() ≠ 0.
std::vector<Complex> roots_of(const std::vector<double>& c) {
    const size_t degree = c.size() - 1;
    const auto value = [&](Complex z) {
        Complex sum = c.back();
        for (size_t n = degree; n-- > 0;) sum = sum * z + c[n];
        return sum;
    };
    double radius = 0;
    for (size_t n = 0; n < degree; ++n)
        radius = std::max(radius, std::pow(std::abs(c[n] / c.back()), 1.0 / double(degree - n)));
    std::vector<Complex> roots;
    for (size_t n = 0; n < degree; ++n)  // not on an axis of symmetry
        roots.push_back(std::polar(radius * (0.3 + 0.7 * double(n + 1) / double(degree)),
                                   2 * std::numbers::pi * double(n) / double(degree) + 0.4));
    for (int step = 0; step < 500; ++step) {
        double moved = 0;
        for (size_t i = 0; i < degree; ++i) {
            Complex product = c.back();
            for (size_t j = 0; j < degree; ++j)
                if (j != i) product *= roots[i] - roots[j];
            if (product == 0.0) product = 1e-300;
            const Complex change = value(roots[i]) / product;
            roots[i] -= change;
            moved = std::max(moved, std::abs(change) / std::max(1e-300, std::abs(roots[i])));
        }
        if (moved < 1e-15) break;
    }
    return roots;
}

std::vector<Complex> poles_of(const Samples& samples) {
    double largest = 0;
    for (const double v : samples.p) largest = std::max(largest, std::abs(v));
    const auto negligible = [&](double v) { return std::abs(v) <= 1e-14 * largest; };
    auto begin = samples.p.begin(), end = samples.p.end();
    while (begin != end && negligible(*begin)) ++begin;
    while (end != begin && negligible(*(end - 1))) --end;
    std::vector<double> c(begin, end);  // z^k has w(−k): its roots are those of P in z⁻¹ mirrored, so turn it round
    std::reverse(c.begin(), c.end());
    if (c.size() < 2) return {};
    std::vector<Complex> poles;
    for (Complex z : roots_of(c))
        if (std::abs(z) < 1) {
            if (std::abs(z.imag()) < 1e-9 * std::abs(z)) z = z.real();
            poles.push_back(z);
        }
    std::sort(poles.begin(), poles.end(), [](Complex a, Complex b) {
        return std::abs(std::abs(a) - std::abs(b)) > 1e-12 ? std::abs(a) > std::abs(b) : a.imag() > b.imag();
    });
    return poles;
}

// b(−far) … b(far) by the inverse transform of 1 / P.
std::vector<double> inverse_response(const Samples& samples) {
    constexpr int n = 4 * far_response;
    std::vector<Complex> inverse, turn;
    for (int i = 0; i < n; ++i) {
        inverse.push_back(1.0 / samples.response(2 * std::numbers::pi * i / n));
        turn.push_back(std::polar(1.0, 2 * std::numbers::pi * i / n));
    }
    std::vector<double> b;
    for (int k = -far_response; k <= far_response; ++k) {
        Complex sum = 0;
        for (int i = 0; i < n; ++i) sum += inverse[size_t(i)] * turn[size_t((k * i % n + n) % n)];
        b.push_back(sum.real() / n);
    }
    return b;
}

std::string pole_text(Complex z) {
    return z.imag() == 0 ? fmt::format("{:.4f}", z.real()) : fmt::format("{:.4f}{:+.4f}i", z.real(), z.imag());
}

bool recursive(const std::vector<Complex>& poles, double sum) {
    const int count = int(poles.size());
    if (count == 0 || count > most_poles || std::abs(sum - 1) > 1e-12) return false;
    for (size_t i = 0; i < poles.size(); ++i) {
        const Complex z = poles[i];
        if (z.imag() != 0 || std::abs(z) > largest_pole || std::abs(z) < 1e-6) return false;
        for (size_t j = 0; j < i; ++j)
            if (std::abs(z - poles[j]) < least_distance_of_poles(count)) return false;
    }
    return true;
}

}  // namespace

DerivedPrefilter derive_prefilter(const std::function<double(double)>& h, int reach) {
    DerivedPrefilter result;
    Samples samples{reach, {}};
    double sum = 0, magnitude = 0, other = 0, uneven = 0;
    for (int k = -reach; k <= reach; ++k) samples.p.push_back(h(k));
    for (int k = -reach; k <= reach; ++k) {
        sum += samples.at(k);
        magnitude += std::abs(samples.at(k));
        other += k == 0 ? std::abs(samples.at(0) - 1) : std::abs(samples.at(k));
        uneven = std::max(uneven, std::abs(samples.at(k) - samples.at(-k)));
    }
    if (other < 1e-9) {
        result.needed = false;
        result.response.assign(2 * size_t(far_response) + 1, 0.0);
        result.response[size_t(far_response)] = 1;
        result.sentence = "none needed: the function interpolates by itself";
        return result;
    }
    double least = magnitude, at = 0;
    constexpr int angles = 4096;
    for (int i = 0; i <= angles; ++i)
        if (const double gain = std::abs(samples.response(std::numbers::pi * i / angles)); gain < least) {
            least = gain;
            at = double(i) / angles;
        }
    if (!(least > 1e-6 * magnitude)) {
        result.sentence = fmt::format(
            "none exists: the weights at the samples remove the frequency {:.3f} of Nyquist "
            "(P has a zero on the unit circle), and nothing brings it back",
            at);
        return result;
    }
    result.poles = poles_of(samples);
    result.response = inverse_response(samples);
    const auto& b = result.response;
    const auto tap = [&](int k) { return b[size_t(k + far_response)]; };
    std::string poles;
    for (const Complex z : result.poles)
        if (z.imag() >= 0)
            poles += (poles.empty() ? "" : ", ") + pole_text(z) + (z.imag() > 0 ? " and its conjugate" : "");
    if (uneven > 1e-12 * magnitude) {
        result.sentence = "none is computed: the weights at the samples are not even, and prefilters here are";
        return result;
    }
    if (recursive(result.poles, sum)) {
        for (const Complex z : result.poles) result.filter.poles.push_back(z.real());
        result.sentence = fmt::format("recursive, {} {}", result.poles.size() == 1 ? "pole" : "poles", poles);
        return result;
    }
    double all = 0, beyond = 0;
    for (int k = -far_response; k <= far_response; ++k) {
        all += std::abs(tap(k));
        if (std::abs(k) > most_inverse_taps) beyond += std::abs(tap(k));
    }
    result.tail = beyond / all;
    if (!(result.tail <= most_tail)) {
        result.sentence =
            fmt::format("none is computed: the inverse decays too slowly; {} taps would leave out {:.2g} of it",
                        2 * most_inverse_taps + 1, result.tail);
        return result;
    }
    int last = most_kept_taps;
    while (last > 1 && std::abs(tap(last)) < 1e-17 * all) --last;
    for (int k = 0; k <= last; ++k) result.filter.taps.push_back(tap(k));
    result.sentence = fmt::format("a convolution of {} taps, {}", 2 * std::min(last, most_inverse_taps) + 1,
                                  poles.empty() ? "no poles" : "poles " + poles) +
                      (result.tail > 1e-12 ? fmt::format("; leaves out {:.1g}", result.tail) : "");
    return result;
}

}  // namespace texelscope
