#pragma once
// Several rows of an output at once: sums that have most of their rows in common, which are then converted once, and lines that
// are filtered by the same weights. What a row's numbers are does not depend on how many are computed with it. Included once for
// each set of instructions.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/row_kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

constexpr int most_sums = SharedSums::most;

// Rows that the sums low … high − 1 add, and the weights of each of these from there on.
struct RowStretch {
    const void* const* rows;
    int count, low, high;
    const float* weights[most_sums];
};
struct RowStretches {
    RowStretch all[2 * most_sums];
    int count = 0;
};

inline RowStretches stretches_of(const SharedSums& sums) {
    RowStretches found;
    const auto end_of = [&](int sum) { return sums.first[sum] + sums.taps[sum]; };
    for (int row = sums.first[0], low = 0, high = 0; row < sums.end();) {
        while (low < sums.count && end_of(low) <= row) ++low;
        while (high < sums.count && sums.first[high] <= row) ++high;
        int next = low < high ? end_of(low) : sums.end();
        if (high < sums.count && sums.first[high] < next) next = sums.first[high];
        if (low < high) {
            RowStretch& stretch = found.all[found.count++];
            stretch = {sums.rows + row, next - row, low, high, {}};
            for (int s = low; s < high; ++s) stretch.weights[s] = sums.weights[s] + (row - sums.first[s]);
        }
        row = next;
    }
    return found;
}

using WideF = Lanes<widest>::F;

template <int low, int high, class Sample, int vectors>
inline void add_stretch(const RowStretch& stretch, int n, WideF (&sum)[most_sums][vectors]) {
    using L = Lanes<widest>;
    for (int k = 0; k < stretch.count; ++k) {
        const Sample* row = static_cast<const Sample*>(stretch.rows[k]) + n;
        WideF value[vectors];
        for (int v = 0; v < vectors; ++v) value[v] = L::from(row + v * widest);
        for (int s = low; s < high; ++s) {
            const WideF w = L::all(stretch.weights[s][k]);
            for (int v = 0; v < vectors; ++v) sum[s][v] = L::fma(w, value[v], sum[s][v]);
        }
    }
}

// Numbers n … of all sums; added to `probe`, they make it a NaN if one is not finite.
template <int vectors, class Sample>
void add_shared_rows(const SharedSums& sums, const RowStretches& stretches, int n, WideF& probe) {
    using L = Lanes<widest>;
    WideF sum[most_sums][vectors];
    for (int s = 0; s < most_sums; ++s)
        for (int v = 0; v < vectors; ++v) sum[s][v] = L::all(0);
    static_assert(most_sums == 4);
    for (int k = 0; k < stretches.count; ++k) {
        const RowStretch& rows = stretches.all[k];
        switch (rows.low * 8 + rows.high) {
            case 0 * 8 + 1: add_stretch<0, 1, Sample>(rows, n, sum); break;
            case 0 * 8 + 2: add_stretch<0, 2, Sample>(rows, n, sum); break;
            case 0 * 8 + 3: add_stretch<0, 3, Sample>(rows, n, sum); break;
            case 0 * 8 + 4: add_stretch<0, 4, Sample>(rows, n, sum); break;
            case 1 * 8 + 2: add_stretch<1, 2, Sample>(rows, n, sum); break;
            case 1 * 8 + 3: add_stretch<1, 3, Sample>(rows, n, sum); break;
            case 1 * 8 + 4: add_stretch<1, 4, Sample>(rows, n, sum); break;
            case 2 * 8 + 3: add_stretch<2, 3, Sample>(rows, n, sum); break;
            case 2 * 8 + 4: add_stretch<2, 4, Sample>(rows, n, sum); break;
            default: add_stretch<3, 4, Sample>(rows, n, sum);
        }
    }
    for (int s = 0; s < most_sums; ++s) {
        if (s == sums.count) break;
        for (int v = 0; v < vectors; ++v) {
            const WideF scaled = sum[s][v] * share<Sample>();
            L::store(sums.sums[s] + n + v * widest, scaled);
            if constexpr (!is_integer<Sample>()) probe = L::fma(scaled, L::all(0), probe);
        }
    }
}

inline bool are_finite(const float* values, int count) {
    using L = Lanes<widest>;
    auto probe = L::all(0);
    int n = 0;
    for (; n + widest <= count; n += widest) probe = L::fma(L::load(values + n), L::all(0), probe);
    bool finite = all_zero(probe);
    for (; n < count; ++n) finite &= values[n] * 0 == 0;
    return finite;
}

template <class Sample> bool sum_rows_of_one(const SharedSums& sums) {
    sum_rows<Sample>(sums.rows + sums.first[0], sums.weights[0], sums.taps[0], sums.numbers, sums.sums[0]);
    return is_integer<Sample>() || are_finite(sums.sums[0], sums.numbers);
}

template <class Sample> bool sum_shared_rows(const SharedSums& sums) {
    constexpr int vectors = widest >= 16 ? 4 : widest >= 8 ? 3 : 2;  // whose sums registers hold
    constexpr size_t cache_line = 64;
    if (sums.count == 1) return sum_rows_of_one<Sample>(sums);
    const RowStretches stretches = stretches_of(sums);
    WideF probe = Lanes<widest>::all(0);
    int n = 0;
    for (; n + vectors * widest <= sums.numbers; n += vectors * widest) {
        for (int k = 0; k < sums.ahead; ++k)
            for (int m = 0; m < vectors * widest; m += int(cache_line / sizeof(Sample)))
                __builtin_prefetch(static_cast<const Sample*>(sums.rows[sums.end() + k]) + n + m, 0, 2);
        add_shared_rows<vectors, Sample>(sums, stretches, n, probe);
    }
    for (; n + widest <= sums.numbers; n += widest) add_shared_rows<1, Sample>(sums, stretches, n, probe);
    bool finite = all_zero(probe);
    for (; n < sums.numbers; ++n)
        for (int s = 0; s < sums.count; ++s) {
            const float sum = sum_at<Sample>(sums.rows + sums.first[s], sums.weights[s], sums.taps[s], n);
            sums.sums[s][n] = sum;
            finite &= sum * 0 == 0;
        }
    return finite;
}

// Sums of a vector's texels, of a pixel: as quads of four or three channels, whose last lane is then zero.
template <int C> F4 texel_sum(F4 v) {
    if constexpr (C == 3) return (F4)((I4)v & I4{-1, -1, -1, 0});
    else return v;
}
#if defined(__AVX2__)
template <int C> F4 texel_sum(F8 v) {
    if constexpr (C == 3) v = (F8)_mm256_permutevar8x32_ps((__m256)v, _mm256_setr_epi32(0, 1, 2, 7, 3, 4, 5, 7));
    return texel_sum<C>(folded(v));
}
#endif
#if defined(__AVX512F__)
template <int C> F4 texel_sum(F16 v) {
    const __m512i quads = _mm512_setr_epi32(0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15);
    if constexpr (C == 3) v = (F16)_mm512_permutexvar_ps(quads, (__m512)v);
    return texel_sum<C>(folded(v));
}
#endif

// A quad for each of so many rows: `parts` vectors of them.
template <int rows> struct QuadsOfRows {
    using Q = F4;
    static constexpr int parts = rows;
};
inline void store_rows(float* const* rows, size_t at, F4 v) { Lanes<4>::store(rows[0] + at, v); }
template <int C, class F, int rows> void texel_sums(const F (&v)[rows], F4 (&sums)[rows]) {
    for (int r = 0; r < rows; ++r) sums[r] = texel_sum<C>(v[r]);
}
#if defined(__AVX512F__)
template <> struct QuadsOfRows<4> {
    using Q = F16;
    static constexpr int parts = 1;
};
inline void store_rows(float* const* rows, size_t at, F16 v) {
    Lanes<4>::store(rows[0] + at, quad<0>(v));
    Lanes<4>::store(rows[1] + at, quad<1>(v));
    Lanes<4>::store(rows[2] + at, quad<2>(v));
    Lanes<4>::store(rows[3] + at, quad<3>(v));
}
template <int C> void texel_sums(const F4 (&v)[4], F16 (&sums)[1]) {
    __m512 all = _mm512_castps128_ps512((__m128)v[0]);
    all = _mm512_insertf32x4(all, (__m128)v[1], 1);
    all = _mm512_insertf32x4(all, (__m128)v[2], 2);
    sums[0] = (F16)_mm512_insertf32x4(all, (__m128)v[3], 3);
}
// (first + second) + (third + fourth) texel of each, as folded() has them.
template <int C> void texel_sums(const F16 (&v)[4], F16 (&sums)[1]) {
    const auto added = [](F16 a, F16 b) {
        if constexpr (C == 3) {
            const __m512i even = _mm512_setr_epi32(0, 1, 2, 15, 6, 7, 8, 15, 16, 17, 18, 31, 22, 23, 24, 31),
                          odd = _mm512_setr_epi32(3, 4, 5, 15, 9, 10, 11, 15, 19, 20, 21, 31, 25, 26, 27, 31);
            return (F16)_mm512_permutex2var_ps((__m512)a, even, (__m512)b) +
                   (F16)_mm512_permutex2var_ps((__m512)a, odd, (__m512)b);
        } else {
            return (F16)_mm512_shuffle_f32x4((__m512)a, (__m512)b, 0x88) +
                   (F16)_mm512_shuffle_f32x4((__m512)a, (__m512)b, 0xdd);
        }
    };
    const __m512 a = (__m512)added(v[0], v[1]), b = (__m512)added(v[2], v[3]);
    sums[0] = (F16)_mm512_maskz_add_ps(C == 3 ? 0x7777 : 0xffff, _mm512_shuffle_f32x4(a, b, 0x88),
                                       _mm512_shuffle_f32x4(a, b, 0xdd));
}
#endif

// Pixels n … of one or two channels from the quads of four of them.
template <int C, class Q> void store_added(float* const* rows, int n, Q (&quads)[4]) {
    transpose(quads);
    if constexpr (C == 1) {
        store_rows(rows, size_t(n), (quads[0] + quads[1]) + (quads[2] + quads[3]));
    } else {
        Q both[2] = {quads[0] + quads[2], quads[1] + quads[3]};
        interleave(both);
        store_rows(rows, 2 * size_t(n), both[0]);
        store_rows(rows, 2 * size_t(n) + 4, both[1]);
    }
}

// The sums of a pixel in each row: Σ w[k]·texel[k] over k < count, as quads; of one and two channels they are still to be added up.
template <int C, int lanes, int rows, class Q, int parts>
inline void filtered_pixels(const float* const* lines, size_t at, const float* w, int count, Q (&sums)[parts]) {
    using L = Lanes<lanes>;
    constexpr int taps = C >= 3 ? lanes / 4 : lanes, numbers = C == 3 ? 3 * taps : lanes;
    typename L::F sum[rows];
    for (int r = 0; r < rows; ++r) sum[r] = L::all(0);
    for (int k = 0; k < count; k += taps, at += numbers) {
        typename L::F weights;
        if constexpr (C == 3) weights = L::spread_to_three(w + k);
        else if constexpr (C == 4) weights = L::spread(w + k);
        else weights = L::load(w + k);
        for (int r = 0; r < rows; ++r) sum[r] = L::fma(weights, L::load(lines[r] + at), sum[r]);
    }
    texel_sums<C>(sum, sums);
}

template <int C, int lanes, int rows>
void filter_lines_by(const ColumnTaps& all, const float* const* from, float* const* to) {
    using Q = typename QuadsOfRows<rows>::Q;
    constexpr int parts = QuadsOfRows<rows>::parts;
    const ColumnTaps taps = all;  // which no store can change
    const float* lines[rows];
    float* sums[rows];
    for (int r = 0; r < rows; ++r) lines[r] = from[r], sums[r] = to[r];
    const auto pixel = [&](int n, Q(&quads)[parts]) {
        filtered_pixels<C, lanes, rows>(lines, size_t(taps.slot[n]) * C, taps.weights + size_t(n) * size_t(taps.stride),
                                        taps.used[n], quads);
    };
    if constexpr (C >= 3) {
        for (int n = 0; n < taps.count; ++n) {
            Q quads[parts];
            pixel(n, quads);
            for (int p = 0; p < parts; ++p) store_rows(sums + p, 4 * size_t(n), quads[p]);
        }
    } else {
        for (int n = 0; n < taps.count; n += 4) {
            Q quads[4][parts];
            for (int m = 0; m < 4; ++m) pixel(n + m, quads[m]);
            for (int p = 0; p < parts; ++p) {
                Q four[4] = {quads[0][p], quads[1][p], quads[2][p], quads[3][p]};
                store_added<C>(sums + p, n, four);
            }
        }
    }
}

template <int C>
void filter_lines(const ColumnTaps& taps, const float* const* lines, int count_of_lines, float* const* sums) {
    const auto filter = [&]<int together>(int r) {
        if constexpr (C <= 2)
            if (taps.stride % 16 != 0) return filter_lines_by<C, 4, together>(taps, lines + r, sums + r);
        filter_lines_by<C, widest, together>(taps, lines + r, sums + r);
    };
    if (count_of_lines == most_sums) return filter.template operator()<most_sums>(0);
    for (int r = 0; r < count_of_lines; ++r) filter.template operator()<1>(r);
}

}  // namespace
}  // namespace texelscope::simd
