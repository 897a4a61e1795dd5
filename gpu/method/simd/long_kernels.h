#pragma once
// Sums of long taps (gpu/method/long_taps.h), bit for bit as the scalar code has them: products and sums are rounded each, in
// the order of the taps. Included once for each set of instructions.

#include "gpu/method/simd/filter_kernels.h"
#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

using LongF = Lanes<widest>::F;
using LongI = Lanes<widest>::I;
using LongU = uint32_t __attribute__((vector_size(sizeof(LongI))));

// To the nearest whole number, ties to the even one: above 2^23 all numbers are whole.
inline LongF nearest_even(LongF x) {
#if defined(__AVX512F__)
    return (LongF)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#elif defined(__AVX2__)
    return (LongF)_mm256_round_ps((__m256)x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
    constexpr float whole = 0x1p23f;
    const LongF size = x < 0 ? -x : x, near = (size + whole) - whole;
    return size < whole ? (x < 0 ? -near : near) : x;
#endif
}
inline LongF floor_of(LongF x) {
    const LongF near = nearest_even(x);
    return near > x ? near - 1 : near;
}
inline LongF cut_off(LongF x) { return x < 0 ? -floor_of(-x) : floor_of(x); }

inline LongF rounded(LongF x, Rounding rounding) {
    switch (rounding) {
        case Rounding::none: return x;
        case Rounding::half_even: return nearest_even(x);
        case Rounding::half_up: return floor_of(x + 0.5f);
        case Rounding::half_away: {
            const LongF whole = cut_off(x), rest = x - whole;
            return rest >= 0.5f ? whole + 1 : rest <= -0.5f ? whole - 1 : whole;
        }
        case Rounding::down: return cut_off(x);
        case Rounding::floor: return floor_of(x);
    }
    return x;
}

inline LongF clipped(const SumRule& rule, LongF x) {
    if (!rule.clipped) return x;
    const LongF low = Lanes<widest>::all(rule.low), high = Lanes<widest>::all(rule.high);
    return x < low ? low : x > high ? high : x;
}

struct RealSums {
    static constexpr int lanes = widest;
    using Sum = LongF;
    static Sum term(const SumRule&, float w, const float* p) { return Lanes<widest>::all(w) * Lanes<widest>::load(p); }
    static LongF finished(const SumRule& rule, Sum sum) {
        if (rule.plain) return sum;
        sum = rounded(sum * rule.scale, rule.round);
        if (rule.multiple > 0) sum = floor_of(sum / rule.multiple) * rule.multiple;
        return clipped(rule, sum);
    }
    static void store(const SumRule& rule, Sum sum, float* to) { Lanes<widest>::store(to, finished(rule, sum)); }
};

// `shifts`: any before the sum. Modulo 2³²: what lies beyond a row's last number is added up as well, and may overflow.
template <bool shifts> struct Sums32 {
    static constexpr int lanes = widest;
    using Sum = LongU;
    static Sum term(const SumRule& rule, float w, const float* p) {
        const LongI value = Lanes<widest>::ints(Lanes<widest>::load(p));
        const auto weight = uint32_t(int32_t(w));
        if constexpr (!shifts) return weight * (LongU)value;
        return (LongU)((LongI)(weight * (LongU)(value >> rule.value_shift)) >> rule.product_shift);
    }
    static void store(const SumRule& rule, Sum sum, float* to) {
        Lanes<widest>::store(to, clipped(rule, Lanes<widest>::floats((LongI)(sum + uint32_t(rule.add)) >> rule.shift)));
    }
};

// In float64, which holds such whole numbers.
struct Sums53 {
    static constexpr int lanes = doubles;
    using Sum = D;
    static Sum term(const SumRule& rule, float w, const float* p) {
        const D value = to_doubles(p, D());
        if (rule.value_shift == 0 && rule.product_shift == 0) return double(w) * value;
        return shifted(double(w) * shifted(value, rule.value_shift), rule.product_shift);
    }
    static void store(const SumRule& rule, Sum sum, float* to) {
        const D whole = shifted(sum + double(rule.add), rule.shift), low = all_of(rule.low), high = all_of(rule.high);
        store_floats(to, !rule.clipped ? whole : whole < low ? low : whole > high ? high : whole);
    }

private:
    static D shifted(D x, int bits) {
        constexpr double far = 0x1.8p52;  // such numbers have no fraction
        const D exact = x * (1.0 / double(int64_t(1) << bits)), near = (exact + far) - far;
        return near > exact ? near - 1 : near;
    }
};

// `numbers` of them; the row of tap k begins at row(k).
template <class Sums, int numbers, class Row>
void sums_at(const SumRule& rule, Row row, const float* w, int taps, float* to) {
    constexpr int vectors = numbers / Sums::lanes;
    typename Sums::Sum sum[vectors];
    for (int v = 0; v < vectors; ++v) sum[v] = typename Sums::Sum{};
    for (int k = 0; k < taps; ++k) {
        if (w[k] == 0) continue;  // not read: it may be NaN
        const float* p = row(k);
        for (int v = 0; v < vectors; ++v) sum[v] += Sums::term(rule, w[k], p + v * Sums::lanes);
    }
    for (int v = 0; v < vectors; ++v) Sums::store(rule, sum[v], to + v * Sums::lanes);
}

template <class Sums>
void long_rows(const SumRule& rule, const float* const* rows, const float* w, int taps, int count, float* sums) {
    constexpr int numbers = 4 * Sums::lanes;
    for (int n = 0; n < count; n += numbers)
        sums_at<Sums, numbers>(
            rule, [&](int k) { return rows[k] + n; }, w, taps, sums + n);
}

template <class Sums>
void long_lanes(const SumRule& rule, const float* line, const int* slot, const float* w, int taps, int count,
                float* sums) {
    for (int n = 0; n < count; ++n) {
        const float* first = line + size_t(slot[n]) * together;
        sums_at<Sums, together>(
            rule, [&](int k) { return first + size_t(k) * together; }, w + size_t(n) * size_t(taps), taps,
            sums + size_t(n) * together);
    }
}

void long_rows_of_32(const SumRule& rule, const float* const* rows, const float* w, int taps, int count, float* sums) {
    const bool shifts = rule.value_shift != 0 || rule.product_shift != 0;
    (shifts ? long_rows<Sums32<true>> : long_rows<Sums32<false>>)(rule, rows, w, taps, count, sums);
}

// Taps of whole numbers from the samples themselves. Whole sums are the same in any order.
constexpr int dot_lanes = widest >= 8 ? 8 : 4;

inline I4 folded_wholes(I4 v) { return v; }
#if defined(__AVX2__)
inline I4 folded_wholes(I8 v) { return (I4)quad<0>((F8)v) + (I4)quad<1>((F8)v); }
#endif

inline F4 finished_wholes(const SumRule& rule, I4 sum) {
    using L = Lanes<4>;
    const F4 v = L::floats((sum + int32_t(rule.add)) >> rule.shift), low = L::all(rule.low), high = L::all(rule.high);
    return !rule.clipped ? v : v < low ? low : v > high ? high : v;
}

// A pixel of each row: its weights are spread over the channels once.
template <class Sample, int C, int rows>
void dots_of_colour(const SumRule rule, const Sample* const* line, const int* first, const int32_t* w, int stride,
                    int count, float* const* sums) {
    using L = Lanes<dot_lanes>;
    for (int n = 0; n < count; ++n, w += stride) {
        typename L::I sum[rows];
        for (int r = 0; r < rows; ++r) sum[r] = typename L::I{};
        for (int k = 0; k < stride; k += dot_lanes / 4) {
            const auto weight = (typename L::I)L::spread(reinterpret_cast<const float*>(w + k));
            for (int r = 0; r < rows; ++r) {
                const Sample* const p = line[r] + first[n] + k * C;
                if constexpr (C == 3) sum[r] += weight * L::wholes_of_three(p);
                else sum[r] += weight * L::wholes(p);
            }
        }
        for (int r = 0; r < rows; ++r)
            Lanes<4>::store(sums[r] + 4 * size_t(n), finished_wholes(rule, folded_wholes(sum[r])));
    }
}

// Four pixels of a row, whose sums are transposed.
template <int lanes, class Sample, int C>
void dots_of_narrow(const SumRule rule, const Sample* line, const int* first, const int32_t* w, int stride, int count,
                    float* sums) {
    using L = Lanes<lanes>;
    for (int n = 0; n < count; n += 4) {
        F4 sum[4];
        for (int q = 0; q < 4; ++q, w += stride) {
            typename L::I products{};
            for (int k = 0; k < stride; k += lanes)
                products +=
                    (typename L::I)L::load(reinterpret_cast<const float*>(w + k)) * L::wholes(line + first[n + q] + k);
            sum[q] = (F4)folded_wholes(products);
        }
        transpose(sum);
        const auto at = [&](int q) { return (I4)sum[q]; };
        if constexpr (C == 1) Lanes<4>::store(sums + n, finished_wholes(rule, (at(0) + at(1)) + (at(2) + at(3))));
        else
            store_interleaved(sums + 2 * size_t(n),
                              {finished_wholes(rule, at(0) + at(2)), finished_wholes(rule, at(1) + at(3))});
    }
}

template <class Sample, int C>
void whole_dots(const SumRule& rule, const void* const* rows, int row_count, const int* first, const int32_t* w,
                int stride, int count, float* const* sums) {
    const Sample* lines[4] = {};
    for (int r = 0; r < row_count; ++r) lines[r] = static_cast<const Sample*>(rows[r]);
    if constexpr (C >= 3) {
        if (row_count == 4) return dots_of_colour<Sample, C, 4>(rule, lines, first, w, stride, count, sums);
        for (int r = 0; r < row_count; ++r)
            dots_of_colour<Sample, C, 1>(rule, lines + r, first, w, stride, count, sums + r);
    } else {
        for (int r = 0; r < row_count; ++r)
            if (stride == 4) dots_of_narrow<4, Sample, C>(rule, lines[r], first, w, stride, count, sums[r]);
            else dots_of_narrow<dot_lanes, Sample, C>(rule, lines[r], first, w, stride, count, sums[r]);
    }
}

// Two texels side by side of each pixel; in vectors as pairs of 16 bits.
#if defined(__AVX2__)
inline __m256i shifted_pairs(__m128i bytes, __m256i weights, __m128i shift) {
    return _mm256_srl_epi32(_mm256_madd_epi16(_mm256_cvtepu8_epi16(bytes), weights), shift);
}
template <class Whole> Whole whole_at(const uint8_t* p) { return loaded<Whole>(p); }

// Both texels of two pixels with three or four channels, whose samples alternate.
template <int C> __m256i pairs_of_colour(const uint8_t* row, const int* first, const uint32_t* w, __m128i shift) {
    __m128i texels;
    if constexpr (C == 4) {
        texels = _mm_unpacklo_epi64(bytes8(row + first[0]), bytes8(row + first[1]));
        texels = _mm_shuffle_epi8(texels, _mm_setr_epi8(0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15));
    } else {  // nothing more is read
        const auto both = [&](int at) { return _mm_unpacklo_epi32(bytes4(row + at), bytes4(row + at + 2)); };
        texels = _mm_unpacklo_epi64(both(first[0]), both(first[1]));
        texels = _mm_shuffle_epi8(texels, _mm_setr_epi8(0, 3, 1, 6, 2, 7, -1, -1, 8, 11, 9, 14, 10, 15, -1, -1));
    }
    const __m256i of_pixels =
        _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(bytes8(w)), _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
    return shifted_pairs(texels, of_pixels, shift);
}

template <int C>
void pair_columns(const uint8_t* row, const int* first, const uint32_t* w, int shift, int count, int16_t* to) {
    const __m128i by = _mm_cvtsi32_si128(shift);
    const auto store = [](int16_t* at, __m128i v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(at), v); };
    const auto words_of = [](__m256i v) {
        return _mm_packus_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    };
    constexpr int pixels = C == 1 ? 8 : 4;
    for (int n = 0; n < count; n += pixels, first += pixels, w += pixels, to += pixels * C) {
        if constexpr (C == 1) {
            const auto at = [&](int k) { return short(whole_at<uint16_t>(row + first[k])); };
            const __m128i texels = _mm_setr_epi16(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7));
            store(to, words_of(shifted_pairs(texels, loaded<__m256i>(w), by)));
        } else if constexpr (C == 2) {
            const auto at = [&](int k) { return whole_at<int>(row + first[k]); };
            const __m128i texels =
                _mm_shuffle_epi8(_mm_setr_epi32(at(0), at(1), at(2), at(3)),
                                 _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15));
            const __m256i twice = _mm256_permutevar8x32_epi32(_mm256_castsi128_si256(bytes16(w)),
                                                              _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3));
            store(to, words_of(shifted_pairs(texels, twice, by)));
        } else {
            const __m256i packed = _mm256_packus_epi32(pairs_of_colour<C>(row, first, w, by),
                                                       pairs_of_colour<C>(row, first + 2, w + 2, by));
            const __m256i in_order = _mm256_permute4x64_epi64(packed, 0b11011000);
            if constexpr (C == 4) {
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), in_order);
            } else {
                const __m128i three = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1);
                store(to, _mm_shuffle_epi8(_mm256_castsi256_si128(in_order), three));
                store(to + 6, _mm_shuffle_epi8(_mm256_extracti128_si256(in_order, 1), three));
            }
        }
    }
}
#else
template <int C>
void pair_columns(const uint8_t* row, const int* first, const uint32_t* w, int shift, int count, int16_t* to) {
    for (int n = 0; n < count; ++n) {
        const int before = int(w[n] & 0xffff), after = int(w[n] >> 16);
        const uint8_t* const p = row + first[n];
        for (int c = 0; c < C; ++c) to[n * C + c] = int16_t((before * p[c] + after * p[C + c]) >> shift);
    }
}
#endif

void pair_rows(const SumRule& rule, const int16_t* const* rows, const int16_t* weights, int count, uint8_t* levels) {
    const int16_t *const a = rows[0], *const b = rows[1];
    int n = 0;
#if defined(__AVX2__)
    const __m256i of_a = _mm256_set1_epi16(weights[0]), of_b = _mm256_set1_epi16(weights[1]),
                  add = _mm256_set1_epi16(short(rule.add));
    const __m128i shift = _mm_cvtsi32_si128(rule.shift);
    const auto sums = [&](int at) {
        const __m256i products = _mm256_add_epi16(_mm256_mulhi_epi16(loaded<__m256i>(a + at), of_a),
                                                  _mm256_mulhi_epi16(loaded<__m256i>(b + at), of_b));
        return _mm256_sra_epi16(_mm256_add_epi16(products, add), shift);
    };
    for (; n + 32 <= count; n += 32)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(levels + n),
                            _mm256_permute4x64_epi64(_mm256_packus_epi16(sums(n), sums(n + 16)), 0b11011000));
#endif
    for (; n < count; ++n) {
        const int sum = ((weights[0] * a[n]) >> 16) + ((weights[1] * b[n]) >> 16) + int(rule.add);
        const int level = sum >> rule.shift;
        levels[n] = uint8_t(level < 0 ? 0 : level > 255 ? 255 : level);
    }
}

void to_levels(float* values, int count, float unit, bool whole, float less) {
    using L = Lanes<widest>;
    for (int n = 0; n < count; n += widest) {
        const LongF level = L::load(values + n) * unit;
        L::store(values + n, (whole ? nearest_even(level) : level) - less);
    }
}

// For whole numbers up to 65535 the corrected product is the quotient by 255 or 65535.
void from_levels(float* values, int count, float more, float unit, bool whole) {
    using L = Lanes<widest>;
#if defined(__AVX2__)
    if (whole && more == 0 && (unit == 255 || unit == 65535)) {
        const LongF inverse = L::all(1 / unit), by = L::all(-unit);
        for (int n = 0; n < count; n += widest) {
            const LongF level = L::load(values + n), quotient = level * inverse;
            L::store(values + n, L::fma(L::fma(by, quotient, level), inverse, quotient));
        }
        return;
    }
#else
    (void)whole;
#endif
    for (int n = 0; n < count; n += widest) L::store(values + n, (L::load(values + n) + more) / unit);
}

}  // namespace
}  // namespace texelscope::simd
