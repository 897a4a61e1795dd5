#pragma once
// The prefilter over lines side by side: lane l of step k is number l of line k. Sums are float64. Included once for
// each set of instructions.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

// Lanes that are filtered together, as float64: enough that one recursion's latency hides behind the others.
constexpr int together = 16, doubles = widest / 2, pieces = together / doubles;

using D = double __attribute__((vector_size(doubles * sizeof(double))));

struct Sixteen {
    D v[pieces];
};

// What is transposed in registers.
#if defined(__AVX2__)
constexpr int side_of_square = 8;
#else
constexpr int side_of_square = 4;
#endif
using Square = Lanes<side_of_square>::F;

inline D all_of(double x) { return D{} + x; }

inline Sixteen loaded_sixteen(const double* p) {
    Sixteen s;
    __builtin_memcpy(&s, p, sizeof s);
    return s;
}
inline void store(double* p, const Sixteen& s) { __builtin_memcpy(p, &s, sizeof s); }

inline Sixteen from_floats(const float* p) {
    Sixteen s;
    for (int n = 0; n < pieces; ++n) s.v[n] = to_doubles(p + n * doubles, D());
    return s;
}
inline void store(float* p, const Sixteen& s) {
    for (int n = 0; n < pieces; ++n) store_floats(p + n * doubles, s.v[n]);
}

// One two-sided exponential per pole, as a cascade: y(k) = s(k) + z·y(k−1) from pole to pole, then back
// c(k) = z·(c(k+1) − y(k)); at both ends as if the signal were constant there.
template <int poles> struct Cascade {
    const LineFilter* filter;
    Sixteen state[poles];

    Sixteen forward(Sixteen s, bool first) {
        for (int p = 0; p < poles; ++p) {
            const D z = all_of(filter->pole[p]);
            for (int n = 0; n < pieces; ++n)
                state[p].v[n] = first ? s.v[n] * all_of(1 / (1 - filter->pole[p])) : fused(z, state[p].v[n], s.v[n]);
            s = state[p];
        }
        return s;
    }
    Sixteen back(Sixteen y, bool last) {
        for (int p = poles - 1; p >= 0; --p) {
            const D z = all_of(filter->pole[p]);
            for (int n = 0; n < pieces; ++n)
                state[p].v[n] = last ? y.v[n] * all_of(-filter->pole[p] / (1 - filter->pole[p]))
                                     : fused(z, state[p].v[n], -z * y.v[n]);
            y = state[p];
        }
        return y;
    }
    Sixteen result(Sixteen y) const {
        for (int n = 0; n < pieces; ++n) y.v[n] *= all_of(filter->gain);
        return y;
    }
};

// `scratch` holds y. Lines may be rows of an image, each in a page of its own, which no hardware prefetches: of each, `groups`
// times sixteen lanes are read at a time.
template <int poles, int groups>
void recurse_lanes(const LineFilter& filter, const float* const* in, int length, double* scratch, float* const* out,
                   int lane) {
    constexpr int ahead = 16, wide = groups * together;  // ahead: lines
    Cascade<poles> cascades[groups] = {};
    for (Cascade<poles>& each : cascades) each.filter = &filter;
    for (int k = 0; k < length; ++k) {
        const float* const line = in[k] + lane;
        if (k + ahead < length)
            for (int g = 0; g < groups; ++g) __builtin_prefetch(in[k + ahead] + lane + g * together);
        for (int g = 0; g < groups; ++g)
            store(scratch + size_t(k) * wide + g * together,
                  cascades[g].forward(from_floats(line + g * together), k == 0));
    }
    for (int k = length - 1; k >= filter.skip; --k) {
        const bool needed = k < length - filter.skip;
        if (k >= ahead)
            for (int g = 0; g < groups; ++g) __builtin_prefetch(out[k - ahead] + lane + g * together, 1);
        for (int g = 0; g < groups; ++g) {
            const Sixteen c =
                cascades[g].back(loaded_sixteen(scratch + size_t(k) * wide + g * together), k == length - 1);
            if (needed) store(out[k] + lane + g * together, cascades[g].result(c));
        }
    }
}

// Two cache lines of lanes at a time leave `scratch` in a cache; of lines that are whole pages apart, which push each other out of a
// cache, as much as there is at a time.
template <int poles>
void recurse_all(const LineFilter& filter, const float* const* in, int length, int lanes, double* scratch,
                 float* const* out) {
    constexpr size_t page = 4096, most = (size_t(5) << 17) / (together * sizeof(double));
    const bool pages = length > 1 && size_t(in[length / 2] - in[length / 2 - 1]) * sizeof(float) % page == 0;
    int lane = 0;
    if (poles <= 2 && (pages || size_t(length) * 4 <= most))
        for (; lane + 4 * together <= lanes; lane += 4 * together)
            recurse_lanes<poles, 4>(filter, in, length, scratch, out, lane);
    if (poles <= 2 && size_t(length) * 2 <= most)
        for (; lane + 2 * together <= lanes; lane += 2 * together)
            recurse_lanes<poles, 2>(filter, in, length, scratch, out, lane);
    for (; lane < lanes; lane += together) recurse_lanes<poles, 1>(filter, in, length, scratch, out, lane);
}

void recurse(const LineFilter& filter, const float* const* in, int length, int lanes, double* scratch,
             float* const* out) {
    static_assert(most_poles == 4);
    if (filter.poles == 1) recurse_all<1>(filter, in, length, lanes, scratch, out);
    else if (filter.poles == 2) recurse_all<2>(filter, in, length, lanes, scratch, out);
    else if (filter.poles == 3) recurse_all<3>(filter, in, length, lanes, scratch, out);
    else recurse_all<4>(filter, in, length, lanes, scratch, out);
}

void convolve(const LineFilter& filter, const float* const* in, int length, int lanes, double* scratch,
              float* const* out) {
    for (int lane = 0; lane < lanes; lane += together) {
        for (int k = 0; k < length; ++k) store(scratch + size_t(k) * together, from_floats(in[k] + lane));
        for (int k = filter.skip; k < length - filter.skip; ++k) {
            const double* centre = scratch + size_t(k) * together;
            Sixteen sum = loaded_sixteen(centre);
            for (int n = 0; n < pieces; ++n) sum.v[n] *= all_of(filter.taps[0]);
            for (int m = 1; m <= filter.half_taps; ++m) {
                const Sixteen left = loaded_sixteen(centre - m * together),
                              right = loaded_sixteen(centre + m * together);
                for (int n = 0; n < pieces; ++n)
                    sum.v[n] = fused(all_of(filter.taps[m]), left.v[n] + right.v[n], sum.v[n]);
            }
            store(out[k] + lane, sum);
        }
    }
}

// Rows of one channel are transposed in squares, so that whole cache lines of lanes are written; with more channels, texels
// are copied.
template <int C> void to_lanes(const float* const* rows, int count, float* lanes) {
    const int squares = C == 1 ? count / side_of_square * side_of_square : 0;
    for (int k = 0; k < squares; k += side_of_square)
        for (int r = 0; r < together; r += side_of_square) {
            Square v[side_of_square];
            for (int n = 0; n < side_of_square; ++n) v[n] = Lanes<side_of_square>::load(rows[r + n] + k);
            transpose(v);
            for (int n = 0; n < side_of_square; ++n)
                Lanes<side_of_square>::store(lanes + size_t(k + n) * together + r, v[n]);
        }
    for (int r = 0; r < together / C; ++r)
        for (int k = squares; k < count; ++k)
            __builtin_memcpy(lanes + size_t(k) * together + r * C, rows[r] + size_t(k) * C, C * sizeof(float));
}

template <int C> void from_lanes(const float* lanes, int count, float* const* rows) {
    constexpr int cache_line = 16;  // which is written at once: rows may all lie in the same place of a cache
    const int squares = C == 1 ? count / side_of_square * side_of_square : 0;
    for (int first = 0; first < squares; first += cache_line)
        for (int r = 0; r < together; r += side_of_square)
            for (int k = first; k < squares && k < first + cache_line; k += side_of_square) {
                Square v[side_of_square];
                for (int n = 0; n < side_of_square; ++n)
                    v[n] = Lanes<side_of_square>::load(lanes + size_t(k + n) * together + r);
                transpose(v);
                for (int n = 0; n < side_of_square; ++n) Lanes<side_of_square>::store(rows[r + n] + k, v[n]);
            }
    for (int r = 0; r < together / C; ++r)
        for (int k = squares; k < count; ++k)
            __builtin_memcpy(rows[r] + size_t(k) * C, lanes + size_t(k) * together + r * C, C * sizeof(float));
}

// Sixteen numbers of 16 / C rows at a time: transposed, filtered and transposed back in pieces that stay in the first cache.
template <int C, int poles>
void recurse_rows_of(const LineFilter& filter, const float* const* rows, int length, double* scratch,
                     float* const* out) {
    constexpr int piece = 64, count = together / C;  // steps
    alignas(64) float lanes[piece * together];
    Cascade<poles> cascade{&filter, {}};
    for (int first = 0; first < length; first += piece) {
        const int n = length - first < piece ? length - first : piece;
        const float* at[count];
        for (int r = 0; r < count; ++r) at[r] = rows[r] + size_t(first) * C;
        to_lanes<C>(at, n, lanes);
        for (int k = 0; k < n; ++k)
            store(scratch + size_t(first + k) * together,
                  cascade.forward(from_floats(lanes + k * together), first + k == 0));
    }
    const int end = length - filter.skip;
    for (int k = length - 1; k >= end; --k)
        cascade.back(loaded_sixteen(scratch + size_t(k) * together), k == length - 1);
    for (int last = end; last > filter.skip; last -= piece) {
        const int first = last - piece > filter.skip ? last - piece : filter.skip;
        for (int k = last - 1; k >= first; --k)
            store(lanes + (k - first) * together,
                  cascade.result(cascade.back(loaded_sixteen(scratch + size_t(k) * together), k == length - 1)));
        float* at[count];
        for (int r = 0; r < count; ++r) at[r] = out[r] + size_t(first - filter.skip) * C;
        from_lanes<C>(lanes, last - first, at);
    }
}

template <int C>
void recurse_rows(const LineFilter& filter, const float* const* rows, int length, double* scratch, float* const* out) {
    if (filter.poles == 1) recurse_rows_of<C, 1>(filter, rows, length, scratch, out);
    else if (filter.poles == 2) recurse_rows_of<C, 2>(filter, rows, length, scratch, out);
    else if (filter.poles == 3) recurse_rows_of<C, 3>(filter, rows, length, scratch, out);
    else recurse_rows_of<C, 4>(filter, rows, length, scratch, out);
}

// The bits of a float without its sign order as its size does, NaN above all.
float largest_size(const float* values, int count) {
    int32_t largest[16] = {};
    int n = 0;
    for (; n + 16 <= count; n += 16)
        for (int k = 0; k < 16; ++k) {
            int32_t bits;
            __builtin_memcpy(&bits, values + n + k, sizeof bits);
            bits &= 0x7fffffff;
            largest[k] = bits > largest[k] ? bits : largest[k];
        }
    int32_t all = 0;
    for (; n < count; ++n) {
        int32_t bits;
        __builtin_memcpy(&bits, values + n, sizeof bits);
        bits &= 0x7fffffff;
        all = bits > all ? bits : all;
    }
    for (const int32_t bits : largest) all = bits > all ? bits : all;
    float size;
    __builtin_memcpy(&size, &all, sizeof size);
    return size;
}

void sum_doubles(const double* const* rows, const double* weights, int taps, int count, double* sums) {
    for (int n = 0; n < count; n += together) {
        Sixteen s = {};
        for (int k = 0; k < taps; ++k) {
            const Sixteen row = loaded_sixteen(rows[k] + n);
            const D w = all_of(weights[k]);
            for (int v = 0; v < pieces; ++v) s.v[v] = fused(w, row.v[v], s.v[v]);
        }
        store(sums + n, s);
    }
}

}  // namespace
}  // namespace texelscope::simd
