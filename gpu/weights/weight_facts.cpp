#include "gpu/weights/weights.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace texelscope {
namespace {

// Far from a kink or jump by more than the phases of neighbouring pieces differ in rounding.
constexpr double beside = 1e-12;

int reach_of(std::span<const FittedPiece> pieces) {
    return pieces.empty() ? 0 : int(std::ceil(std::max(-pieces.front().begin, pieces.back().end) - 1e-9));
}

// Phases that see every piece: evenly spaced ones, and both sides of each end of a piece.
std::vector<double> phases(std::span<const FittedPiece> pieces) {
    constexpr int even = 128;
    std::vector<double> result;
    for (int i = 0; i < even; ++i) result.push_back(double(i) / even);
    for (const FittedPiece& piece : pieces)
        for (const double end : {piece.begin, piece.end - beside}) result.push_back(end - std::floor(end));
    return result;
}

struct Moments {
    double m[12] = {}, size[12] = {};  // M_m(t), and the sum of the magnitudes in it
};

Moments moments_at(std::span<const FittedPiece> pieces, double t, int most) {
    Moments result;
    const int reach = reach_of(pieces);
    for (int k = -reach; k <= reach; ++k) {
        const double d = t - k;
        double term = value_of(pieces, d);
        for (int m = 0; m <= most; ++m, term *= d) {
            result.m[m] += term;
            result.size[m] += std::abs(term);
        }
    }
    return result;
}

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

double choose(int n, int k) { return factorial(n) / (factorial(k) * factorial(n - k)); }

// Σ jᵐ b(j) of the inverse of the weights at the samples: b ∗ p = 1 says that Σ choose(m, i) β_i π_(m−i) = 0 for m > 0.
std::vector<double> inverse_moments(std::span<const FittedPiece> pieces, int most) {
    std::vector<double> p(size_t(most) + 1, 0.0), b(p);
    const int reach = reach_of(pieces);
    for (int k = -reach; k <= reach; ++k) {
        double term = value_of(pieces, k);
        for (int m = 0; m <= most; ++m, term *= k) p[size_t(m)] += term;
    }
    b[0] = 1 / p[0];
    for (int m = 1; m <= most; ++m) {
        for (int i = 0; i < m; ++i) b[size_t(m)] -= choose(m, i) * b[size_t(i)] * p[size_t(m - i)];
        b[size_t(m)] /= p[0];
    }
    return b;
}

// Σ jᵐ b(j) of a response.
std::vector<double> moments_of(std::span<const double> response, int most) {
    std::vector<double> b(size_t(most) + 1, 0.0);
    const int far = int(response.size() / 2);
    for (int j = -far; j <= far; ++j) {
        double term = response[size_t(j + far)];
        for (int m = 0; m <= most; ++m, term *= j) b[size_t(m)] += term;
    }
    return b;
}

std::complex<double> transform(std::span<const FittedPiece> pieces, double frequency) {
    // Gauss–Legendre, five points on parts that are short beside a period.
    constexpr double at[] = {0, 0.5384693101056831, 0.9061798459386640};
    constexpr double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    std::complex<double> sum = 0;
    for (const FittedPiece& piece : pieces) {
        const int parts =
            std::max(1, int(std::ceil(piece.width() * (2 + 3 * std::abs(frequency)) * (piece.degree > 6 ? 2 : 1))));
        const double half = piece.width() / parts / 2;
        for (int i = 0; i < parts; ++i) {
            const double middle = piece.begin + (2 * i + 1) * half;
            for (int n = 0; n < 3; ++n)
                for (const double side : {-1.0, 1.0}) {
                    if (n == 0 && side < 0) continue;
                    const double x = middle + side * at[n] * half;
                    sum += half * weight[n] * piece(x) * std::polar(1.0, -2 * std::numbers::pi * frequency * x);
                }
        }
    }
    return sum;
}

double prefilter_gain(std::span<const double> response, double frequency) {
    if (response.empty()) return 1;
    const int far = int(response.size() / 2);
    std::complex<double> sum = 0;
    for (int k = -far; k <= far; ++k)
        sum += response[size_t(k + far)] * std::polar(1.0, -2 * std::numbers::pi * frequency * k);
    return std::abs(sum);
}

}  // namespace

WeightSum weight_sum(std::span<const FittedPiece> pieces) {
    WeightSum sum{1e300, -1e300};
    for (const double t : phases(pieces)) {
        const double at = moments_at(pieces, t, 0).m[0];
        sum.least = std::min(sum.least, at);
        sum.largest = std::max(sum.largest, at);
    }
    return sum;
}

bool is_interpolating(std::span<const FittedPiece> pieces, std::span<const double> response) {
    const int reach = reach_of(pieces), far = int(response.size() / 2);
    for (int k = -reach - far; k <= reach + far; ++k) {
        double value = response.empty() ? value_of(pieces, k) : 0;
        for (int j = std::max(-far, k - reach); j <= std::min(far, k + reach) && !response.empty(); ++j)
            value += response[size_t(j + far)] * value_of(pieces, k - j);
        if (std::abs(value - (k == 0 ? 1 : 0)) > 1e-9) return false;
    }
    return true;
}

ApproximationOrder approximation_order(std::span<const FittedPiece> pieces, bool prefiltered,
                                       std::span<const double> stated) {
    constexpr int most = 10;
    constexpr double constant_within = 1e-9;
    std::vector<double> b(size_t(most) + 1, 0.0);  // of the impulse: no prefilter
    b[0] = 1;
    if (prefiltered) b = stated.empty() ? inverse_moments(pieces, most) : moments_of(stated, most);
    std::vector<Moments> of_samples;
    // Means over the phases by the midpoints of equal parts: error ~ 1 / parts².
    constexpr int parts = 512;
    for (int i = 0; i < parts; ++i) of_samples.push_back(moments_at(pieces, (i + 0.5) / parts, most));
    for (const double t : phases(pieces)) of_samples.push_back(moments_at(pieces, t, most));
    for (int m = 0; m <= most; ++m) {
        double largest = 0, squares = 0, size = 1;
        for (size_t i = 0; i < of_samples.size(); ++i) {
            double value = m == 0 ? -1 : 0;  // of the function that the coefficients make, less what it should be
            for (int k = 0; k <= m; ++k) value += choose(m, k) * b[size_t(k)] * of_samples[i].m[m - k];
            for (int k = 0; k <= m; ++k) size = std::max(size, std::abs(b[size_t(k)]) * of_samples[i].size[m - k]);
            largest = std::max(largest, std::abs(value));
            if (i < parts) squares += value * value / parts;
        }
        if (largest > constant_within * size) return {m, largest / factorial(m), std::sqrt(squares) / factorial(m)};
    }
    return {most + 1, 0, 0};
}

int smoothness_of(std::span<const FittedPiece> pieces) {
    const auto derivative = [&](size_t i, int n, bool at_end) {
        return i < pieces.size() ? pieces[i].derivative(n, at_end) : 0.0;  // zero outside
    };
    for (int n = 0; n <= most_smoothness; ++n) {
        double largest = 1;
        for (const FittedPiece& piece : pieces)
            if (piece.width() > 1e-3)
                largest =
                    std::max({largest, std::abs(piece.derivative(n, false)), std::abs(piece.derivative(n, true))});
        // Each derivative of a polynomial of degree 13 that was fitted to 2e-13 loses up to two digits.
        const double within = largest * std::min(1e-2, 1e-10 * std::pow(100.0, n));
        for (size_t i = 0; i <= pieces.size(); ++i) {
            const double before = i == 0 ? 0.0 : derivative(i - 1, n, true);
            if (!(std::abs(before - derivative(i, n, false)) <= within)) return n - 1;
        }
    }
    return most_smoothness;
}

Support support_of(std::span<const FittedPiece> pieces) {
    const auto zero = [](const FittedPiece& piece) {
        return std::all_of(piece.c, piece.c + piece.degree + 1, [](double c) { return std::abs(c) < 1e-13; });
    };
    size_t first = 0, last = pieces.size();
    while (first < last && zero(pieces[first])) ++first;
    while (last > first && zero(pieces[last - 1])) --last;
    if (first == last) return {};
    return {pieces[first].begin, pieces[last - 1].end};
}

double step_overshoot(std::span<const FittedPiece> pieces, std::span<const double> response) {
    const int far = int(response.size() / 2), reach = reach_of(pieces);
    // Coefficients of the step: 0 left of sample 0, 1 from there on.
    const auto coefficient = [&](int k) {
        if (response.empty()) return k >= 0 ? 1.0 : 0.0;
        double sum = 0;
        for (int j = -far; j <= std::min(k, far); ++j) sum += response[size_t(j + far)];
        return sum;
    };
    const int span = reach + (response.empty() ? 1 : 12);
    std::vector<double> c;
    for (int k = -span - reach; k <= span + reach + 1; ++k) c.push_back(coefficient(k));
    double beyond = 0;
    std::vector<double> places = phases(pieces);
    if (places.size() > 1024) places.resize(1024);
    for (const double t : places) {
        std::vector<double> w;
        for (int k = -reach; k <= reach; ++k) w.push_back(value_of(pieces, t - k));
        for (int n = -span; n <= span; ++n) {
            double value = 0;
            for (int k = -reach; k <= reach; ++k) value += w[size_t(k + reach)] * c[size_t(n + k + span + reach)];
            beyond = std::max({beyond, value - 1, -value});
        }
    }
    return beyond;
}

double gain_at(std::span<const FittedPiece> pieces, double frequency, std::span<const double> response) {
    return std::abs(transform(pieces, frequency)) * prefilter_gain(response, frequency);
}

double spectrum_at(std::span<const FittedPiece> pieces, double frequency) {
    const std::complex<double> at = transform(pieces, frequency);
    return std::abs(at.imag()) < 1e-10 ? at.real() : std::abs(at);
}

double strongest_image(std::span<const FittedPiece> pieces, std::span<const double> response) {
    double strongest = 0;
    constexpr int waves = 16;
    for (int i = 1; i <= waves; ++i) {
        const double f = 0.25 * i / waves, passed = prefilter_gain(response, f);
        for (int n = 1; n <= 4; ++n)
            for (const double image : {n - f, n + f})
                strongest = std::max(strongest, std::abs(transform(pieces, image)) * passed);
    }
    return strongest;
}

int fetches_along_axis(std::span<const FittedPiece> pieces, int taps) {
    if (taps > 8) return 0;
    const int before = taps / 2 - 1;
    bool pairs = true, middle = true;
    for (const double t : phases(pieces)) {
        for (int k = 0; k < taps; ++k) {
            const bool negative = value_of(pieces, t + before - k) < -1e-12;
            pairs = pairs && !negative;
            if (k == before || k == before + 1) middle = middle && !negative;
        }
    }
    return pairs ? taps / 2 : middle ? taps - 1 : 0;
}

}  // namespace texelscope
