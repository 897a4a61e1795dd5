#include "gpu/weights/inverse_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gpu/weights/poles.h"
#include "gpu/weights/weights.h"

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

std::string poles_text(const std::vector<Complex>& poles) {
    std::string text;
    for (const Complex z : poles)
        if (z.imag() >= 0)
            text += (text.empty() ? "" : ", ") + pole_text(z) + (z.imag() > 0 ? " and its conjugate" : "");
    return text;
}

std::string recursive_words(const std::vector<Complex>& poles) {
    return fmt::format("recursive, {} {}", poles.size() == 1 ? "pole" : "poles", poles_text(poles));
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
    if (uneven > 1e-12 * magnitude) {
        result.sentence = "none is computed: the weights at the samples are not even, and prefilters here are";
        return result;
    }
    if (recursive(result.poles, sum)) {
        for (const Complex z : result.poles) result.filter.poles.push_back(z.real());
        result.sentence = recursive_words(result.poles);
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
                                  result.poles.empty() ? "no poles" : "poles " + poles_text(result.poles)) +
                      (result.tail > 1e-12 ? fmt::format("; leaves out {:.1g}", result.tail) : "");
    return result;
}

namespace {

std::optional<FilterProblem> problem_of_poles(std::span<const double> poles) {
    const double least = least_distance_of_poles(int(poles.size()));
    for (size_t i = 0; i < poles.size(); ++i) {
        const double z = poles[i];
        if (!std::isfinite(z)) return FilterProblem{i, "this pole is not a finite number"};
        if (std::abs(z) >= 1)
            return FilterProblem{i,
                                 fmt::format("a recursion with a pole at {:.6g} grows without end: its magnitude must "
                                             "be less than 1",
                                             z)};
        if (std::abs(z) > largest_pole)
            return FilterProblem{
                i, fmt::format("a pole at {:.6g} decays too slowly: magnitudes up to {} can be computed", z,
                               largest_pole)};
        if (std::abs(z) < 1e-6)
            return FilterProblem{i, fmt::format("a pole at {:.6g} filters nothing: leave it out", z)};
        for (size_t j = 0; j < i; ++j)
            if (std::abs(z - poles[j]) < least)
                return FilterProblem{
                    i, fmt::format("the poles {:.6g} and {:.6g} are too close: {} poles must be {} apart", poles[j], z,
                                   poles.size(), least)};
    }
    return {};
}

std::optional<FilterProblem> problem_of_taps(std::span<const double> taps) {
    constexpr double most = 1000;
    double sum = 0, magnitude = 0;
    for (size_t i = 0; i < taps.size(); ++i) {
        if (!std::isfinite(taps[i])) return FilterProblem{i, "this tap is not a finite number"};
        if (std::abs(taps[i]) > most)
            return FilterProblem{
                i, fmt::format("a tap of {:.6g} is too large: magnitudes up to {} can be computed", taps[i], most)};
        sum += taps[i];
        magnitude += std::abs(taps[i]);
    }
    for (size_t i = 0; i < taps.size() / 2; ++i)
        if (const double other = taps[taps.size() - 1 - i]; std::abs(taps[i] - other) > 1e-12 * magnitude)
            return FilterProblem{
                i, fmt::format("the taps are {:.6g} before the middle and {:.6g} after it: they must be even, the same "
                               "forwards and backwards",
                               taps[i], other)};
    if (!(std::abs(sum) > 1e-9 * magnitude))
        return FilterProblem{0, "the taps sum to 0, which makes every even area 0: their sum should be 1"};
    return {};
}

// Forth and back, from zero: beyond the ends there is nothing left of an impulse in the middle.
void recurse(std::vector<double>& line, double z) {
    for (size_t k = 1; k < line.size(); ++k) line[k] += z * line[k - 1];
    for (size_t k = line.size() - 1; k-- > 0;) line[k] += z * line[k + 1];
    for (double& value : line) value *= (1 - z) * (1 - z);
}

}  // namespace

std::optional<FilterProblem> problem_of_filter(bool recursive, std::span<const double> values) {
    return recursive ? problem_of_poles(values) : problem_of_taps(values);
}

DerivedPrefilter stated_prefilter(bool recursive, std::span<const double> values) {
    DerivedPrefilter result;
    result.response.assign(2 * size_t(far_response) + 1, 0.0);
    if (recursive) {
        result.filter.poles.assign(values.begin(), values.end());
        result.poles.assign(values.begin(), values.end());
        result.response[size_t(far_response)] = 1;
        for (const double z : values) recurse(result.response, z);
        result.sentence = recursive_words(result.poles);
        return result;
    }
    const size_t half = values.size() / 2;
    result.filter.taps.assign(values.begin() + ptrdiff_t(half), values.end());
    std::copy(values.begin(), values.end(), result.response.begin() + ptrdiff_t(size_t(far_response) - half));
    result.sentence = fmt::format("a convolution of {} taps", values.size());
    return result;
}

}  // namespace texelscope
