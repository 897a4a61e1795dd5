#include "gpu/reference/weight_pieces.h"

#include <array>
#include <cmath>
#include <numbers>

#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

using Coefficients = std::array<double, piece_coefficients>;

// Coefficients of the polynomial through values at the nodes cos(π (k + ½) / n): of T₀, T₁, …, then of powers of u.
Coefficients interpolated(const Coefficients& values) {
    constexpr int n = piece_coefficients;
    Coefficients previous{1}, current{}, sum{};  // T₀, T₁ and the result, in powers
    current[1] = 1;
    for (int m = 0; m < n; ++m) {
        double chebyshev = 0;
        for (int k = 0; k < n; ++k) chebyshev += values[size_t(k)] * std::cos(std::numbers::pi * m * (k + 0.5) / n);
        chebyshev *= (m == 0 ? 1.0 : 2.0) / n;
        for (int p = 0; p < n; ++p) sum[size_t(p)] += chebyshev * previous[size_t(p)];
        Coefficients next{};  // T(m+2) = 2u·T(m+1) − T(m)
        for (int p = 0; p < n; ++p) next[size_t(p)] = (p > 0 ? 2 * current[size_t(p - 1)] : 0) - previous[size_t(p)];
        previous = current;
        current = next;
    }
    return sum;
}

}  // namespace

std::vector<double> weight_pieces(const MethodInfo& method, const MethodParameters& parameters) {
    constexpr int n = piece_coefficients;
    std::vector<double> result;
    const double radius = radius_of(method);
    const int count = piece_count(radius);
    for (int piece = 0; piece < count; ++piece) {
        Coefficients values;
        for (int k = 0; k < n; ++k) {
            const double u = std::cos(std::numbers::pi * (k + 0.5) / n);
            values[size_t(k)] = method.weight((piece + (u + 1) / 2) * 2 * radius / count - radius, parameters);
        }
        const Coefficients c = interpolated(values);
        result.insert(result.end(), c.begin(), c.end());
    }
    return result;
}

}  // namespace texelscope
