#pragma once
// Positions along an axis, and the weights of their taps. Included once for each set of instructions.

#include "gpu/method/simd/kernels.h"

namespace texelscope::simd {
namespace {

void positions(double a, double b, double c, int first, int count, double* x) {
    for (int n = 0; n < count; ++n) x[n] = a * (first + n) + b + c;
}

// All taps at s, side by side: a chain of products each. `degree` 0: that of the axis.
template <int taps, int degree, class F> void polynomials(const AxisWeights& axis, F s, F (&sum)[taps]) {
    using L = Lanes<sizeof(F) / sizeof(float)>;
    const int last = degree > 0 ? degree : axis.degree;
    for (int k = 0; k < taps; ++k) sum[k] = L::all(axis.c[k][last]);
    for (int n = last - 1; n >= 0; --n)
        for (int k = 0; k < taps; ++k) sum[k] = L::fma(sum[k], s, L::all(axis.c[k][n]));
}

// For t > ½ the mirror image's polynomials are evaluated at 1 − t, which is exact there. Weights at samples are
// therefore exact from either side, and no power of a fraction near 1 cancels.
template <int taps, int degree>
void weights_at(const AxisWeights& axis, const float* fraction, int count, float (*w)[block]) {
    using L = Lanes<widest>;
    for (int n = 0; n < count; n += widest) {
        const auto t = L::load(fraction + n), u = 1 - t, s = t < u ? t : u;
        typename L::F sum[taps];
        polynomials<taps, degree>(axis, s, sum);
        for (int k = 0; k < taps; ++k) L::store(w[k] + n, t > u ? sum[taps - 1 - k] : sum[k]);
    }
}

// Those of bilinear, as the polynomials would have them.
void linear_weights(const float* fraction, int count, float (*w)[block]) {
    using L = Lanes<widest>;
    for (int n = 0; n < count; n += widest) {
        const auto t = L::load(fraction + n);
        L::store(w[0] + n, 1 - t);
        L::store(w[1] + n, t);
    }
}

bool are_linear(const AxisWeights& axis) {
    return axis.taps == 2 && axis.degree == 1 && axis.c[0][0] == 1 && axis.c[0][1] == -1 && axis.c[1][0] == 0 &&
           axis.c[1][1] == 1;
}

void weights_of(const AxisWeights& axis, const float* t, int count, float (*w)[block]) {
    if (are_linear(axis)) return linear_weights(t, count, w);
    switch (axis.taps) {
        case 2: return axis.degree == 1 ? weights_at<2, 1>(axis, t, count, w) : weights_at<2, 0>(axis, t, count, w);
        case 4: return axis.degree == 3 ? weights_at<4, 3>(axis, t, count, w) : weights_at<4, 0>(axis, t, count, w);
        case 6: return weights_at<6, 0>(axis, t, count, w);
        case 8: return weights_at<8, 0>(axis, t, count, w);
        default: return;  // one tap: handled by gather_block
    }
}

void weights(const AxisWeights& axis, const double* x, int count, int offset, int* first, float (*w)[block]) {
    using L = Lanes<widest>;
    alignas(64) float t[block];
    const double half = axis.taps % 2 == 0 ? 0 : 0.5;
    for (int n = 0; n < count; n += widest) L::locate(x + n, half, offset - (axis.taps - 1) / 2, first + n, t + n);
    weights_of(axis, t, count, w);
}

void fixed_weights(const AxisWeights& axis, int64_t base, const int64_t* steps, int count, int offset, int* first,
                   float (*w)[block]) {
    using L = Lanes<widest>;
    alignas(64) float t[block];
    const int64_t half = axis.taps % 2 == 0 ? 0 : int64_t(1) << 31;  // of an odd number, one tap: t is not used
    for (int n = 0; n < count; n += widest)
        L::locate(steps + n, base + half, offset - (axis.taps - 1) / 2, first + n, t + n);
    weights_of(axis, t, count, w);
}

float table_weights(const float* table, int nodes, float radius, float stretch, bool derivative, float t, int before,
                    int count, float* w) {
    using L = Lanes<widest>;
    typename L::I lane;
    for (int n = 0; n < widest; ++n) lane[n] = n;
    auto sum = L::all(0);
    for (int n = 0; n < (count + 15) / 16 * 16; n += widest) {
        const auto d = (t - L::floats(lane + (before + n))) / stretch, u = d < 0 ? -d : d;
        const auto at = (u < radius ? u : L::all(radius)) * float(nodes);
        const auto node = L::ints(at);
        const auto left = L::gather(table, node), right = L::gather(table + 1, node);
        auto h = left + (at - L::floats(node)) * (right - left);
        if (derivative) h = d < 0 ? -h : h;
        h = u > radius ? L::all(0) : h;
        h = d == radius ? L::all(0) : h;
        h = lane + n < count ? h : L::all(0);
        sum += h;
        L::store(w + n, h);
    }
    float total = 0;
    for (int n = 0; n < widest; ++n) total += sum[n];
    return total;
}

}  // namespace
}  // namespace texelscope::simd
