#include "gpu/method/axis_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "gpu/method/method_info.h"

namespace texelscope {
namespace {

using Function = std::function<double(double)>;
using Powers = std::array<double, AxisWeights::max_degree + 1>;

double value(const Powers& c, int degree, double s) {
    double sum = c[size_t(degree)];
    for (int n = degree - 1; n >= 0; --n) sum = sum * s + c[size_t(n)];
    return sum;
}

// f(0) + s·q(s), where q takes the slope from 0 to each of `degree` Chebyshev nodes of [0, ½]: exact at 0. Newton's
// divided differences, multiplied out.
Powers fitted(const Function& f, int degree) {
    std::array<double, AxisWeights::max_degree> at{}, difference{};
    const double start = f(0);
    for (int n = 0; n < degree; ++n) {
        at[size_t(n)] = 0.25 - 0.25 * std::cos(std::numbers::pi * (n + 0.5) / degree);
        difference[size_t(n)] = (f(at[size_t(n)]) - start) / at[size_t(n)];
    }
    for (int order = 1; order < degree; ++order)
        for (int n = degree - 1; n >= order; --n)
            difference[size_t(n)] =
                (difference[size_t(n)] - difference[size_t(n - 1)]) / (at[size_t(n)] - at[size_t(n - order)]);
    Powers c{};  // for q, then for the result
    for (int n = degree - 1; n >= 0; --n) {
        for (int power = degree - 1; power > 0; --power)
            c[size_t(power)] = c[size_t(power - 1)] - at[size_t(n)] * c[size_t(power)];
        c[0] = difference[size_t(n)] - at[size_t(n)] * c[0];
    }
    for (int power = degree; power > 0; --power) c[size_t(power)] = c[size_t(power - 1)];
    c[0] = start;
    return c;
}

constexpr int checks = 64;

double place_of_check(int n) { return 0.5 * n / checks; }

double largest_error(const std::vector<double>& expected, const Powers& c, int degree) {
    double largest = 0;
    for (int n = 0; n <= checks; ++n)
        largest = std::max(largest, std::abs(value(c, degree, place_of_check(n)) - expected[size_t(n)]));
    return largest;  // NaN compares as small, but no weight function has one
}

Powers as_floats(const Powers& c) {
    Powers rounded;
    std::transform(c.begin(), c.end(), rounded.begin(), [](double v) { return double(float(v)); });
    return rounded;
}

bool is_symmetric(const MethodInfo& method, const MethodParameters& parameters) {
    for (double x = 1.0 / 64; x < method.taps / 2.0; x += 1.0 / 32)
        if (std::abs(method.weight(x, parameters) - method.weight(-x, parameters)) > 1e-12) return false;
    return true;
}

}  // namespace

AxisWeights axis_weights(const MethodInfo& method, const MethodParameters& parameters) {
    AxisWeights result;
    if (method.taps == 1) return {1, 0, {}};
    if (method.taps % 2 != 0 || method.taps > AxisWeights::max_taps || !is_symmetric(method, parameters)) return {};
    const auto weight_of = [&](int tap) -> Function {
        return [&, tap](double s) { return method.weight(s + (method.taps - 1) / 2 - tap, parameters); };
    };
    std::vector<std::vector<double>> expected(size_t(method.taps));
    for (int tap = 0; tap < method.taps; ++tap)
        for (int n = 0; n <= checks; ++n) expected[size_t(tap)].push_back(weight_of(tap)(place_of_check(n)));
    constexpr double enough = 5e-8, most = 2.5e-7;
    double least = most;
    for (int degree = 1; degree <= AxisWeights::max_degree; ++degree) {
        AxisWeights tried{method.taps, degree, {}};
        double exact = 0, in_floats = 0;
        for (int tap = 0; tap < method.taps && in_floats < most; ++tap) {
            const Powers c = fitted(weight_of(tap), degree), rounded = as_floats(c);
            exact = std::max(exact, largest_error(expected[size_t(tap)], c, degree));
            in_floats = std::max(in_floats, largest_error(expected[size_t(tap)], rounded, degree));
            std::copy(rounded.begin(), rounded.end(), tried.c[tap]);
        }
        const bool found = exact < enough && in_floats < most;
        if (found || in_floats < least) {
            result = tried;
            least = in_floats;
        }
        if (found) break;
    }
    return result;
}

}  // namespace texelscope
