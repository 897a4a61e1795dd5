#pragma once
// Vectors of four and eight floats for AVX2, FMA and F16C. See kernels.h for the linkage.

#include <immintrin.h>

#include <cstdint>

#include "gpu/method/simd/kernels.h"

namespace texelscope::simd {
namespace {

using F4 = float __attribute__((vector_size(16)));
using I4 = int32_t __attribute__((vector_size(16)));
using F8 = float __attribute__((vector_size(32)));
using I8 = int32_t __attribute__((vector_size(32)));

struct Half {  // IEEE binary16
    uint16_t bits;
};

#if !defined(__AVX512F__)
constexpr int widest = 8;
#endif

template <class V> V loaded(const void* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

// 4, 8 or 16 bytes in the low end of a register.
inline __m128i bytes4(const void* p) { return _mm_cvtsi32_si128(loaded<int>(p)); }
inline __m128i bytes8(const void* p) { return _mm_loadl_epi64(static_cast<const __m128i*>(p)); }
inline __m128i bytes16(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }

// W lanes: F and I are their floats and ints.
template <int W> struct Lanes;

template <> struct Lanes<4> {
    using F = F4;
    using I = I4;

    static F load(const float* p) { return loaded<F>(p); }
    static void store(float* p, F v) { __builtin_memcpy(p, &v, sizeof v); }
    static void store(int* p, I v) { __builtin_memcpy(p, &v, sizeof v); }
    static F all(float v) { return F{v, v, v, v}; }
    static F fma(F a, F b, F c) { return (F)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c); }
    static F floats(I v) { return (F)_mm_cvtepi32_ps((__m128i)v); }
    static I ints(F v) { return (I)_mm_cvttps_epi32((__m128)v); }  // truncated

    // One byte per lane, of values in [0, 255].
    static void store_bytes(uint8_t* p, F v) {
        const __m128i words = _mm_packus_epi32((__m128i)ints(v), (__m128i)ints(v));
        const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
        __builtin_memcpy(p, &bytes, sizeof bytes);
    }

    static I wholes(const uint8_t* p) { return (I)_mm_cvtepu8_epi32(bytes4(p)); }
    static I wholes(const uint16_t* p) { return (I)_mm_cvtepu16_epi32(bytes8(p)); }

    static F from(const float* p) { return load(p); }
    static F from(const uint8_t* p) { return floats(wholes(p)); }
    static F from(const uint16_t* p) { return floats(wholes(p)); }
    static F from(const Half* p) { return (F)_mm_cvtph_ps(bytes8(p)); }

    // A texel of three samples; the fourth lane is zero. One sample more is read.
    template <class Sample> static F three(const Sample* p) {
        return (F)_mm_blend_ps((__m128)from(p), _mm_setzero_ps(), 0b1000);
    }

    // A texel whose samples are in an integer, the first one lowest.
    static F of_bits(uint64_t bits, float) { return (F)_mm_cvtsi64_si128(int64_t(bits)); }
    static F of_bits(uint64_t bits, uint8_t) { return floats((I)_mm_cvtepu8_epi32(_mm_cvtsi32_si128(int(bits)))); }
    static F of_bits(uint64_t bits, uint16_t) {
        return floats((I)_mm_cvtepu16_epi32(_mm_cvtsi64_si128(int64_t(bits))));
    }
    static F of_bits(uint64_t bits, Half) { return (F)_mm_cvtph_ps(_mm_cvtsi64_si128(int64_t(bits))); }
};

template <> struct Lanes<8> {
    using F = F8;
    using I = I8;

    static F load(const float* p) { return loaded<F>(p); }
    static void store(float* p, F v) { __builtin_memcpy(p, &v, sizeof v); }
    static void store(int* p, I v) { __builtin_memcpy(p, &v, sizeof v); }
    static F all(float v) { return (F)_mm256_set1_ps(v); }
    static F fma(F a, F b, F c) { return (F)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c); }
    static F root(F v) { return (F)_mm256_sqrt_ps((__m256)v); }
    static F floats(I v) { return (F)_mm256_cvtepi32_ps((__m256i)v); }
    static I ints(F v) { return (I)_mm256_cvttps_epi32((__m256)v); }  // truncated

    static I wholes(const uint8_t* p) { return (I)_mm256_cvtepu8_epi32(bytes8(p)); }
    static I wholes(const uint16_t* p) { return (I)_mm256_cvtepu16_epi32(bytes16(p)); }

    static F from(const float* p) { return load(p); }
    static F from(const uint8_t* p) { return floats(wholes(p)); }
    static F from(const uint16_t* p) { return floats(wholes(p)); }
    static F from(const Half* p) { return (F)_mm256_cvtph_ps(bytes16(p)); }

    // Two texels of three samples; every fourth lane is zero. No more than a third texel is read.
    static F three(const float* p) {
        const __m256 two = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(p + 3), 1);
        return (F)_mm256_blend_ps(two, _mm256_setzero_ps(), 0b10001000);
    }
    static I wholes_of_three(const uint8_t* p) {
        const __m128i spread = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1);
        return (I)_mm256_cvtepu8_epi32(_mm_shuffle_epi8(bytes8(p), spread));
    }
    static I wholes_of_three(const uint16_t* p) { return (I)_mm256_cvtepu16_epi32(spread_words(p)); }
    static F three(const uint8_t* p) { return floats(wholes_of_three(p)); }
    static F three(const uint16_t* p) { return floats(wholes_of_three(p)); }
    static F three(const Half* p) { return (F)_mm256_cvtph_ps(spread_words(p)); }

    static F gather(const float* from, I index) { return (F)_mm256_i32gather_ps(from, (__m256i)index, sizeof(float)); }

    // Each of the first two weights in four lanes.
    static F spread(const float* w) {
        const __m256 two = _mm256_castps128_ps256((__m128)Lanes<4>::of_bits(loaded<uint64_t>(w), 0.0f));
        return (F)_mm256_permutevar8x32_ps(two, _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
    }

    // Each of the first two weights in three lanes; the last two lanes are zero.
    static F spread_to_three(const float* w) {
        const __m256 two = _mm256_castps128_ps256((__m128)Lanes<4>::of_bits(loaded<uint64_t>(w), 0.0f));
        return (F)_mm256_permutevar8x32_ps(two, _mm256_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2));
    }

    // One byte per lane, of values in [0, 255].
    static void store_bytes(uint8_t* p, F v) { _mm_storel_epi64(reinterpret_cast<__m128i*>(p), bytes_of(v)); }

    // The bytes of two texels, without every fourth one; more bytes are written.
    static void store_three_bytes(uint8_t* p, F v) {
        const __m128i packed = _mm_setr_epi8(0, 1, 2, 4, 5, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_shuffle_epi8(bytes_of(v), packed));
    }

    // Whole numbers below the positions plus `half`, and the rest of the positions, in [−half, 1 − half].
    static void locate(const double* x, double half, int offset, int* whole, float* rest) {
        for (int n = 0; n < 8; n += 4) {
            const __m256d at = _mm256_loadu_pd(x + n);
            const __m256d below = _mm256_floor_pd(at + _mm256_set1_pd(half));
            Lanes<4>::store(whole + n, (I4)_mm256_cvttpd_epi32(below) + offset);
            Lanes<4>::store(rest + n, (F4)_mm256_cvtpd_ps(at - below));
        }
    }

    // Whole numbers and rest of positions base + steps[lane] in fixed point; see Kernels::fixed_weights.
    static void locate(const int64_t* steps, int64_t base, int offset, int* whole, float* rest) {
        const __m256i from = _mm256_set1_epi64x(base);
        const __m256 a = (__m256)_mm256_add_epi64(from, loaded<__m256i>(steps)),
                     b = (__m256)_mm256_add_epi64(from, loaded<__m256i>(steps + 4));
        const auto in_order = [](__m256 halves) { return (I8)_mm256_permute4x64_epi64((__m256i)halves, 0b11011000); };
        store(whole, in_order(_mm256_shuffle_ps(a, b, 0b11011101)) + offset);
        const I8 part = in_order(_mm256_shuffle_ps(a, b, 0b10001000)) & I8(I8{} + int32_t(~fixed_cut));
        store(rest, floats((I8)_mm256_srli_epi32((__m256i)part, 1)) * 0x1p-31f);
    }

private:
    static __m128i bytes_of(F v) {
        const __m256i numbers = (__m256i)ints(v);
        const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256(numbers, 1));
        return _mm_packus_epi16(words, words);
    }
    static __m128i spread_words(const void* p) {
        return _mm_shuffle_epi8(bytes16(p), _mm_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1));
    }
};

#if !defined(__AVX512F__)
using D4 = double __attribute__((vector_size(32)));
inline D4 to_doubles(const float* p, D4) { return (D4)_mm256_cvtps_pd((__m128)loaded<F4>(p)); }
inline void store_floats(float* p, D4 v) { _mm_storeu_ps(p, _mm256_cvtpd_ps((__m256d)v)); }
inline D4 square_root(D4 v) { return (D4)_mm256_sqrt_pd((__m256d)v); }
inline D4 fused(D4 a, D4 b, D4 c) { return (D4)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c); }
#endif

template <int q> F4 quad(F4 v) {
    static_assert(q == 0);
    return v;
}
template <int q> F4 quad(F8 v) {
    if constexpr (q == 0) return (F4)_mm256_castps256_ps128((__m256)v);
    else return (F4)_mm256_extractf128_ps((__m256)v, q);
}

}  // namespace
}  // namespace texelscope::simd
