// The vector code for AVX-512 (F, BW, DQ, VL): vectors of four, eight and sixteen floats. Compiled with its flags, if the compiler
// has them. See kernels.h for the linkage.

#include "gpu/method/simd/kernels.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)

#include "gpu/method/simd/vectors_avx2.h"

namespace texelscope::simd {
namespace {

using F16 = float __attribute__((vector_size(64)));
using I16 = int32_t __attribute__((vector_size(64)));

constexpr int widest = 16;

inline __m256i bytes32(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

template <> struct Lanes<16> {
    using F = F16;
    using I = I16;

    static F load(const float* p) { return loaded<F>(p); }
    static void store(float* p, F v) { __builtin_memcpy(p, &v, sizeof v); }
    static void store(int* p, I v) { __builtin_memcpy(p, &v, sizeof v); }
    static F all(float v) { return (F)_mm512_set1_ps(v); }
    static F fma(F a, F b, F c) { return (F)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c); }
    static F floats(I v) { return (F)_mm512_cvtepi32_ps((__m512i)v); }
    static I ints(F v) { return (I)_mm512_cvttps_epi32((__m512)v); }  // truncated

    static F from(const float* p) { return load(p); }
    static F from(const uint8_t* p) { return floats((I)_mm512_cvtepu8_epi32(bytes16(p))); }
    static F from(const uint16_t* p) { return floats((I)_mm512_cvtepu16_epi32(bytes32(p))); }
    static F from(const Half* p) { return (F)_mm512_cvtph_ps(bytes32(p)); }

    // Four texels of three samples; every fourth lane is zero. Nothing more is read.
    static F three(const float* p) {
        const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 0);
        return (F)_mm512_maskz_permutexvar_ps(0x7777, lanes, _mm512_maskz_loadu_ps(0x0fff, p));
    }
    static F three(const uint8_t* p) {
        const __m128i spread = _mm_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
        return floats((I)_mm512_cvtepu8_epi32(_mm_shuffle_epi8(_mm_maskz_loadu_epi8(0x0fff, p), spread)));
    }
    static F three(const uint16_t* p) { return floats((I)_mm512_cvtepu16_epi32(spread_words(p))); }
    static F three(const Half* p) { return (F)_mm512_cvtph_ps(spread_words(p)); }

    static F gather(const float* from, I index) { return (F)_mm512_i32gather_ps((__m512i)index, from, sizeof(float)); }

    // Each of the first four weights in four lanes.
    static F spread(const float* w) {
        const __m512i lanes = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
        return (F)_mm512_permutexvar_ps(lanes, _mm512_castps128_ps512((__m128)Lanes<4>::load(w)));
    }

    // Each of the first four weights in three lanes; the last four lanes are zero.
    static F spread_to_three(const float* w) {
        const __m512i lanes = _mm512_setr_epi32(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 0, 0, 0);
        return (F)_mm512_maskz_permutexvar_ps(0x0fff, lanes, _mm512_castps128_ps512((__m128)Lanes<4>::load(w)));
    }

    // One byte per lane, of values in [0, 255].
    static void store_bytes(uint8_t* p, F v) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8((__m512i)ints(v)));
    }

    // The bytes of four texels, without every fourth one; more bytes are written.
    static void store_three_bytes(uint8_t* p, F v) {
        const __m128i packed = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                         _mm_shuffle_epi8(_mm512_cvtepi32_epi8((__m512i)ints(v)), packed));
    }

    // Whole numbers below the positions plus `half`, and the rest of the positions, in [−half, 1 − half].
    static void locate(const double* x, double half, int offset, int* whole, float* rest) {
        for (int n = 0; n < 16; n += 8) {
            const __m512d at = _mm512_loadu_pd(x + n);
            const __m512d below = _mm512_floor_pd(at + _mm512_set1_pd(half));
            Lanes<8>::store(whole + n, (I8)_mm512_cvttpd_epi32(below) + offset);
            Lanes<8>::store(rest + n, (F8)_mm512_cvtpd_ps(at - below));
        }
    }

    // Whole numbers and rest of positions base + steps[lane] in fixed point; see Kernels::fixed_weights.
    static void locate(const int64_t* steps, int64_t base, int offset, int* whole, float* rest) {
        const __m512i from = _mm512_set1_epi64(base);
        const __m512i a = _mm512_add_epi64(from, _mm512_loadu_si512(steps)),
                      b = _mm512_add_epi64(from, _mm512_loadu_si512(steps + 8));
        const __m512i low = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(1));
        store(whole, (I)_mm512_permutex2var_epi32(a, high, b) + offset);
        const __m512i part =
            _mm512_and_si512(_mm512_permutex2var_epi32(a, low, b), _mm512_set1_epi32(int32_t(~fixed_cut)));
        store(rest, (F)_mm512_cvtepu32_ps(part) * 0x1p-32f);
    }

private:
    static __m256i spread_words(const void* p) {
        const __m256i words = _mm256_setr_epi16(0, 1, 2, 0, 3, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 0);
        return _mm256_maskz_permutexvar_epi16(0x7777, words, _mm256_maskz_loadu_epi16(0x0fff, p));
    }
};

using D8 = double __attribute__((vector_size(64)));
inline D8 to_doubles(const float* p, D8) { return (D8)_mm512_cvtps_pd((__m256)loaded<F8>(p)); }
inline void store_floats(float* p, D8 v) { _mm256_storeu_ps(p, _mm512_cvtpd_ps((__m512d)v)); }
inline D8 square_root(D8 v) { return (D8)_mm512_sqrt_pd((__m512d)v); }
inline D8 fused(D8 a, D8 b, D8 c) { return (D8)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c); }

// Masked, though with all lanes: GCC 12 takes the plain one for a use of an uninitialised value (its bug 105593).
template <int q> F4 quad(F16 v) { return (F4)_mm512_maskz_extractf32x4_ps(0xff, (__m512)v, q); }

}  // namespace
}  // namespace texelscope::simd

#include "gpu/method/simd/table.h"  // of the vectors above

namespace texelscope::simd {

static constexpr Kernels table = table_of("AVX-512");
extern const Kernels* const avx512_kernels = &table;

}  // namespace texelscope::simd

#else

namespace texelscope::simd {
extern const Kernels* const avx512_kernels = nullptr;
}

#endif
