#pragma once
// Rows of floats: converted, filtered along themselves, and added. Included once for each set of instructions.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {

// Positions along an axis, and the weights of their taps. Included once for each set of instructions.

namespace {

void positions(double a, double b, double c, int first, int count, double* x) {
    for (int n = 0; n < count; ++n) x[n] = a * (first + n) + b + c;
}

// Taps at s, those of `step` rows one after another, side by side: a chain of products each. `degree` 0: `last`.
template <int degree, int chains, int vectors, class F>
void polynomials(const float (*c)[AxisWeights::max_degree + 1], int step, int last, const F (&s)[vectors],
                 F (&sum)[chains][vectors]) {
    using L = Lanes<sizeof(F) / sizeof(float)>;
    if (degree > 0) last = degree;
    for (int k = 0; k < chains; ++k)
        for (int v = 0; v < vectors; ++v) sum[k][v] = L::all(c[k * step][last]);
    for (int n = last - 1; n >= 0; --n)
        for (int k = 0; k < chains; ++k)
            for (int v = 0; v < vectors; ++v) sum[k][v] = L::fma(sum[k][v], s[v], L::all(c[k * step][n]));
}

// For t > ½ the mirror image's polynomials are evaluated at 1 − t, which is exact there. Weights at samples are
// therefore exact from either side, and no power of a fraction near 1 cancels. `degree` 0: that of the axis.
//
// As many taps at a time, each with its mirror image, and as many vectors, as registers hold.
template <int taps, int degree>
void weights_at(const AxisWeights& axis, const float* fraction, int count, float (*w)[block]) {
    using L = Lanes<widest>;
    using F = typename L::F;
    constexpr int vectors = widest == 4 ? 4 : 1, chains = widest == 4 ? 2 : taps;
    for (int first = 0; first < taps / 2; first += chains / 2) {
        const int step = chains == taps ? 1 : taps - 1 - 2 * first;
        for (int n = 0; n < count; n += vectors * widest) {
            F s[vectors], sum[chains][vectors];
            for (int v = 0; v < vectors; ++v) {
                const F t = L::load(fraction + n + v * widest), u = 1 - t;
                s[v] = t < u ? t : u;
            }
            polynomials<degree>(axis.c + first, step, axis.degree, s, sum);
            for (int v = 0; v < vectors; ++v) {
                const F t = L::load(fraction + n + v * widest);
                for (int k = 0; k < chains; ++k)
                    L::store(w[first + k * step] + n + v * widest, t > s[v] ? sum[chains - 1 - k][v] : sum[k][v]);
            }
        }
    }
}

// The weights of bilinear, as the polynomials would have them.
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

// Lanes of a disc's samples: a multiple of 16 would be too many for most.
constexpr int radial_lanes = widest < 8 ? widest : 8;
using RadialLanes = Lanes<radial_lanes>;

// At dx, of a row that lies dy away.
inline RadialLanes::F radial(const RadialWeights& weights, RadialLanes::F dx, float dy) {
    using L = RadialLanes;
    const auto square =
        L::fma(L::fma(dx, L::all(weights.xx), L::all(2 * weights.xy * dy)), dx, L::all(weights.yy * dy * dy));
    const auto distance = L::root(square > 0 ? square : L::all(0));
    const auto within = distance < weights.radius;
    const auto at = (within ? distance : L::all(0)) * float(weights.nodes);
    const auto node = L::ints(at);
    const auto left = L::gather(weights.table, node), right = L::gather(weights.table + 1, node);
    const auto h = left + (at - L::floats(node)) * (right - left);
    return within ? h : L::all(0);
}

inline RadialLanes::F ascending(int first) {
    RadialLanes::I lane;
    for (int k = 0; k < radial_lanes; ++k) lane[k] = first + k;
    return RadialLanes::floats(lane);
}

void radial_weights(const RadialWeights& weights, const float* t, float dy, int before, int count, int stride,
                    int repeats, float* w, float* sums) {
    using L = RadialLanes;
    const int samples = stride / repeats;
    for (int n = 0; n < count; ++n, w += stride) {
        auto sum = L::all(0);
        for (int k = 0; k < samples; k += radial_lanes) {
            const auto h = radial(weights, t[n] - ascending(before + k), dy);
            sum += h;
            if (repeats == 1) L::store(w + k, h);
            else
                for (int l = 0; l < radial_lanes; ++l) w[2 * (k + l)] = w[2 * (k + l) + 1] = h[l];
        }
        for (int l = 0; l < radial_lanes; ++l) sums[n] += sum[l];
    }
}

template <class Sample, int C>
float radial_patch(const RadialWeights& weights, const PlaceOnSamples& place, const void* texels, size_t row_bytes,
                   float* sums) {
    using L = RadialLanes;
    const char* line = static_cast<const char*>(texels);
    auto sum = L::all(0), total = L::all(0);
    for (int j = 0; j < place.rows; ++j, line += row_bytes) {
        const auto* samples = reinterpret_cast<const Sample*>(line);
        const float dy = place.y - float(place.top + j);
        for (int k = 0; k < place.columns; k += radial_lanes) {
            const auto h = radial(weights, place.x - ascending(place.left + k), dy);
            total += h;
            if constexpr (C == 1) {
                sum = L::fma(h, L::from(samples + k), sum);
            } else {
                alignas(32) float w[radial_lanes];
                L::store(w, h);
                for (int n = 0; n < radial_lanes; n += radial_lanes / 4) {
                    if constexpr (C == 3) sum = L::fma(L::spread(w + n), L::three(samples + 3 * (k + n)), sum);
                    else sum = L::fma(L::spread(w + n), L::from(samples + 4 * (k + n)), sum);
                }
            }
        }
    }
    const F4 four = folded(sum) * share<Sample>();
    Lanes<4>::store(sums, four);
    if constexpr (C == 1) sums[0] = (four[0] + four[1]) + (four[2] + four[3]);
    float all = 0;
    for (int l = 0; l < radial_lanes; ++l) all += total[l];
    return all;
}

}  // namespace

namespace {

template <class Sample> bool convert(const void* from, int count, float* values) {
    using L = Lanes<widest>;
    const auto* samples = static_cast<const Sample*>(from);
    auto probe = L::all(0);
    int n = 0;
    for (; n + widest <= count; n += widest) {
        const auto v = L::from(samples + n) * L::all(share<Sample>());
        L::store(values + n, v);
        if constexpr (!is_integer<Sample>()) probe = L::fma(v, L::all(0), probe);
    }
    bool finite = all_zero(probe);
    for (; n + 4 <= count; n += 4) {
        const auto v = Lanes<4>::from(samples + n) * share<Sample>();
        Lanes<4>::store(values + n, v);
        finite &= all_zero(v * 0.0f);
    }
    for (; n < count; ++n) {
        values[n] = first_of<1>(samples + n)[0] * share<Sample>();
        finite &= values[n] * 0 == 0;
    }
    return finite;
}

template <class Sample> bool convert_three(const void* from, int count, float* values) {
    using L = Lanes<widest>;
    constexpr int texels = widest / 4;
    const auto* samples = static_cast<const Sample*>(from);
    auto probe = L::all(0);
    int n = 0;
    for (; n + texels < count; n += texels) {
        const auto v = L::three(samples + 3 * size_t(n)) * L::all(share<Sample>());
        L::store(values + 4 * size_t(n), v);
        if constexpr (!is_integer<Sample>()) probe = L::fma(v, L::all(0), probe);
    }
    bool finite = all_zero(probe);
    for (; n < count; ++n) {
        const Sample* texel = samples + 3 * size_t(n);
        const F4 two = first_of<2>(texel), third = first_of<1>(texel + 2);
        const F4 v = F4{two[0], two[1], third[0], 0} * share<Sample>();
        Lanes<4>::store(values + 4 * size_t(n), v);
        finite &= all_zero(v * 0.0f);
    }
    return finite;
}

// Σ w[k]·texel[k], one quad per tap of four channels, else the sums of a transposition. Long sums use long vectors.
template <int C> F4 filtered_pixel(const float* texels, const float* w, int stride) {
    if (stride >= 16) {
        using L = Lanes<widest>;
        auto sum = L::all(0);
        if constexpr (C == 4)
            for (int k = 0; k < stride; k += widest / 4) sum = L::fma(L::spread(w + k), L::load(texels + 4 * k), sum);
        else
            for (int k = 0; k < stride; k += widest) sum = L::fma(L::load(w + k), L::load(texels + k), sum);
        return folded(sum);
    }
    using L = Lanes<4>;
    F4 sum = L::all(0);
    for (int k = 0; k < stride; k += 4) {
        if constexpr (C == 4) {
            for (int n = 0; n < 4; ++n) sum = L::fma(L::all(w[k + n]), L::load(texels + 4 * (k + n)), sum);
        } else {
            sum = L::fma(L::load(w + k), L::load(texels + k), sum);
        }
    }
    return sum;
}

// `fixed`: the stride if it is known at compile time, else 0.
template <int C, int fixed>
void filter_pixels(const float* line, const int* slot, const float* w, int any_stride, int count, float* sums) {
    using L = Lanes<4>;
    const int stride = fixed > 0 ? fixed : any_stride;
    const auto pixel = [&](int n) {
        return filtered_pixel<C>(line + size_t(slot[n]) * C, w + size_t(n) * size_t(stride), stride);
    };
    if constexpr (C == 4) {
        for (int n = 0; n < count; ++n) L::store(sums + 4 * n, pixel(n));
    } else {
        for (int n = 0; n < count; n += 4) {
            F4 sum[4] = {pixel(n), pixel(n + 1), pixel(n + 2), pixel(n + 3)};
            transpose(sum);
            if constexpr (C == 1) L::store(sums + n, (sum[0] + sum[1]) + (sum[2] + sum[3]));
            else store_interleaved(sums + 2 * n, {sum[0] + sum[2], sum[1] + sum[3]});
        }
    }
}

template <int C>
void filter_row(const float* line, const int* slot, const float* w, int stride, int count, float* sums) {
    switch (stride) {
        case 4: return filter_pixels<C, 4>(line, slot, w, stride, count, sums);
        case 8: return filter_pixels<C, 8>(line, slot, w, stride, count, sums);
        default: return filter_pixels<C, 0>(line, slot, w, stride, count, sums);
    }
}

// Two numbers from each place.
inline F4 two_pairs(const float* p, const float* q) {
    typedef int64_t Quadwords __attribute__((vector_size(16)));
    int64_t first, second;
    __builtin_memcpy(&first, p, sizeof first);
    __builtin_memcpy(&second, q, sizeof second);
    return (F4)Quadwords{first, second};
}

// Products are rounded, as in filter_row.
bool filter_pairs(const float* line, const int* slot, const float* w, int count, float* sums) {
    using L = Lanes<4>;
    constexpr int ahead = 512;  // in rows that follow each other, so is the next
    F4 probe = L::all(0);
    for (int n = 0; n < count; n += 4, slot += 4, w += 8) {
        __builtin_prefetch(line + slot[0] + ahead);
        const F4 low = two_pairs(line + slot[0], line + slot[1]) * L::load(w),
                 high = two_pairs(line + slot[2], line + slot[3]) * L::load(w + 4);
        const F4 sum = __builtin_shufflevector(low, high, 0, 2, 4, 6) + __builtin_shufflevector(low, high, 1, 3, 5, 7);
        L::store(sums + n, sum);
        probe += sum * 0.0f;
    }
    return all_zero(probe);
}

template <int vectors, class Sample>
void add_rows_at(const void* const* rows, const float* w, int taps, int n, float* sums) {
    using L = Lanes<widest>;
    typename L::F sum[vectors];
    for (int v = 0; v < vectors; ++v) sum[v] = L::all(0);
    for (int k = 0; k < taps; ++k) {
        const Sample* row = static_cast<const Sample*>(rows[k]) + n;
        for (int v = 0; v < vectors; ++v) sum[v] = L::fma(L::all(w[k]), L::from(row + v * widest), sum[v]);
    }
    for (int v = 0; v < vectors; ++v) L::store(sums + n + v * widest, sum[v] * share<Sample>());
}

// Number n, rounded like those in vectors.
template <class Sample> float sum_at(const void* const* rows, const float* w, int taps, int n) {
    F4 sum = Lanes<4>::all(0);
    for (int k = 0; k < taps; ++k)
        sum = Lanes<4>::fma(Lanes<4>::all(w[k]), first_of<1>(static_cast<const Sample*>(rows[k]) + n), sum);
    return sum[0] * share<Sample>();
}

// As many numbers of all rows at a time as registers hold. The last ones are rounded like all others: what a number is does
// not depend on how many there are.
template <class Sample> void sum_rows(const void* const* rows, const float* w, int taps, int count, float* sums) {
    constexpr int numbers = widest >= 8 ? 64 : 32;
    int n = 0;
    for (; n + numbers <= count; n += numbers) add_rows_at<numbers / widest, Sample>(rows, w, taps, n, sums);
    for (; n + widest <= count; n += widest) add_rows_at<1, Sample>(rows, w, taps, n, sums);
    for (; n < count; ++n) sums[n] = sum_at<Sample>(rows, w, taps, n);
}

}  // namespace
}  // namespace texelscope::simd
