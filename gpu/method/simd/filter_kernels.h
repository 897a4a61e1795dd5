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
// c(k) = z·(c(k+1) − y(k)); at both ends as if the signal were constant there. `scratch` holds y. Lines may be rows of an
// image, each in a page of its own, which no hardware prefetches.
template <int poles>
void recurse_lanes(const LineFilter& filter, const float* const* in, int length, double* scratch, float* const* out,
                   int lane) {
    constexpr int ahead = 16;  // lines
    const double* pole = filter.pole;
    Sixteen state[poles];
    for (int k = 0; k < length; ++k) {
        if (k + ahead < length) __builtin_prefetch(in[k + ahead] + lane);
        Sixteen s = from_floats(in[k] + lane);
        for (int p = 0; p < poles; ++p) {
            for (int n = 0; n < pieces; ++n)
                state[p].v[n] =
                    k == 0 ? s.v[n] * all_of(1 / (1 - pole[p])) : fused(all_of(pole[p]), state[p].v[n], s.v[n]);
            s = state[p];
        }
        store(scratch + size_t(k) * together, s);
    }
    for (int k = length - 1; k >= filter.skip; --k) {
        Sixteen y = loaded_sixteen(scratch + size_t(k) * together);
        if (k >= ahead) __builtin_prefetch(out[k - ahead] + lane, 1);
        for (int p = poles - 1; p >= 0; --p) {
            const D z = all_of(pole[p]);
            for (int n = 0; n < pieces; ++n)
                state[p].v[n] =
                    k == length - 1 ? y.v[n] * all_of(-pole[p] / (1 - pole[p])) : fused(z, state[p].v[n], -z * y.v[n]);
            y = state[p];
        }
        if (k >= length - filter.skip) continue;
        for (int n = 0; n < pieces; ++n) y.v[n] *= all_of(filter.gain);
        store(out[k] + lane, y);
    }
}

void recurse(const LineFilter& filter, const float* const* in, int length, int lanes, double* scratch,
             float* const* out) {
    static_assert(most_poles == 4);
    for (int lane = 0; lane < lanes; lane += together) {
        if (filter.poles == 1) recurse_lanes<1>(filter, in, length, scratch, out, lane);
        else if (filter.poles == 2) recurse_lanes<2>(filter, in, length, scratch, out, lane);
        else if (filter.poles == 3) recurse_lanes<3>(filter, in, length, scratch, out, lane);
        else recurse_lanes<4>(filter, in, length, scratch, out, lane);
    }
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
    const int squares = C == 1 ? count / side_of_square * side_of_square : 0;
    for (int k = 0; k < squares; k += side_of_square)
        for (int r = 0; r < together; r += side_of_square) {
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
