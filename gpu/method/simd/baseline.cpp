// The vector code for any processor that the program is compiled for, with SSE2 or WebAssembly's vectors where these are the
// baseline: vectors of four floats. See kernels.h for the linkage.

#include <cstdint>

#include "gpu/core/errors.h"
#include "gpu/method/simd/kernels.h"

#if defined(__wasm_simd128__)  // Emscripten's SSE2 takes several instructions for what is one here
#include <wasm_simd128.h>
#elif defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace texelscope::simd {
namespace {

using F4 = float __attribute__((vector_size(16)));
using I4 = int32_t __attribute__((vector_size(16)));
using L2 = int64_t __attribute__((vector_size(16)));
using D2 = double __attribute__((vector_size(16)));

struct Half {  // IEEE binary16
    uint16_t bits;
};

constexpr int widest = 4;

template <class V> V loaded(const void* from) {
    V v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

// What each processor has an instruction of its own for: roots, whole numbers of four or eight samples, and the low bytes of
// whole numbers from 0 to 255.
#if defined(__wasm_simd128__)

inline F4 roots(F4 v) { return (F4)wasm_f32x4_sqrt((v128_t)v); }
inline D2 roots(D2 v) { return (D2)wasm_f64x2_sqrt((v128_t)v); }
// LLVM 14 would convert 16 bits to floats one by one: it must not see where whole numbers of 32 bits come from.
inline I4 opaque(v128_t v) {
    __asm__("" : "+r"(v));
    return (I4)v;
}
inline I4 wholes_of(const uint8_t* p) {
    return opaque(wasm_u32x4_extend_low_u16x8(wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p))));
}
inline I4 wholes_of(const uint16_t* p) { return opaque(wasm_u32x4_load16x4(p)); }
inline void wholes_of(const uint8_t* p, I4 (&v)[2]) {
    const v128_t words = wasm_u16x8_load8x8(p);
    v[0] = opaque(wasm_u32x4_extend_low_u16x8(words));
    v[1] = opaque(wasm_u32x4_extend_high_u16x8(words));
}
inline uint32_t bytes_of(I4 v) {
    const v128_t words = wasm_i16x8_narrow_i32x4((v128_t)v, (v128_t)v);
    return uint32_t(wasm_i32x4_extract_lane(wasm_u8x16_narrow_i16x8(words, words), 0));
}

#elif defined(__SSE2__)

inline F4 roots(F4 v) { return (F4)_mm_sqrt_ps((__m128)v); }
inline D2 roots(D2 v) { return (D2)_mm_sqrt_pd((__m128d)v); }
inline I4 wholes_of(const uint8_t* p) {
    const __m128i zero = _mm_setzero_si128(), bytes = _mm_cvtsi32_si128(loaded<int>(p));
    return (I4)_mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, zero), zero);
}
inline I4 wholes_of(const uint16_t* p) {
    return (I4)_mm_unpacklo_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)), _mm_setzero_si128());
}
inline void wholes_of(const uint8_t* p, I4 (&v)[2]) {
    const __m128i zero = _mm_setzero_si128(),
                  words = _mm_unpacklo_epi8(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)), zero);
    v[0] = (I4)_mm_unpacklo_epi16(words, zero);
    v[1] = (I4)_mm_unpackhi_epi16(words, zero);
}
inline uint32_t bytes_of(I4 v) {
    const __m128i words = _mm_packs_epi32((__m128i)v, (__m128i)v);
    return uint32_t(_mm_cvtsi128_si32(_mm_packus_epi16(words, words)));
}

#else

inline F4 roots(F4 v) {
    return F4{__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]), __builtin_sqrtf(v[3])};
}
inline D2 roots(D2 v) { return D2{__builtin_sqrt(v[0]), __builtin_sqrt(v[1])}; }
template <class Sample> I4 wholes_of(const Sample* p) { return I4{p[0], p[1], p[2], p[3]}; }
inline void wholes_of(const uint8_t* p, I4 (&v)[2]) { v[0] = wholes_of(p), v[1] = wholes_of(p + 4); }
inline uint32_t bytes_of(I4 v) {
    const uint8_t bytes[4] = {uint8_t(v[0]), uint8_t(v[1]), uint8_t(v[2]), uint8_t(v[3])};
    return loaded<uint32_t>(bytes);
}

#endif

// W lanes: F and I are their floats and ints.
template <int W> struct Lanes;

template <> struct Lanes<4> {
    using F = F4;
    using I = I4;

    static F load(const float* p) { return loaded<F>(p); }
    static void store(float* p, F v) { __builtin_memcpy(p, &v, sizeof v); }
    static void store(int* p, I v) { __builtin_memcpy(p, &v, sizeof v); }
    static F all(float v) { return F{v, v, v, v}; }
    static F fma(F a, F b, F c) { return a * b + c; }
    static F root(F v) { return roots(v); }
    static F floats(I v) { return __builtin_convertvector(v, F); }
    static I ints(F v) { return __builtin_convertvector(v, I); }  // truncated

    static F from(const float* p) { return load(p); }
    static F from(const uint8_t* p) { return floats(wholes_of(p)); }
    static F from(const uint16_t* p) { return floats(wholes_of(p)); }

    // Twice as many samples.
    template <class Sample> static void two_from(const Sample* p, F* v) { v[0] = from(p), v[1] = from(p + 4); }
    static void two_from(const uint8_t* p, F* v) {
        I whole[2];
        wholes_of(p, whole);
        v[0] = floats(whole[0]), v[1] = floats(whole[1]);
    }

    // The exponent is rebiased from 15 to 127 by a product, which is exact for subnormal halves as well.
    static F from(const Half* p) {
        const I half = wholes_of(reinterpret_cast<const uint16_t*>(p));
        const I magnitude = (half & 0x7fff) << 13, sign = (half & 0x8000) << 16;
        const I scaled = (I)((F)magnitude * all(0x1p112f));
        const I beyond = magnitude >= 0x0f800000;  // infinity, NaN
        return (F)(scaled | (beyond & 0x7f800000) | sign);
    }

    template <class Sample> static I wholes(const Sample* p) { return wholes_of(p); }
    template <class Sample> static I wholes_of_three(const Sample* p) { return wholes(p) & I{-1, -1, -1, 0}; }

    // A texel of three samples; the fourth lane is zero. One sample more is read.
    template <class Sample> static F three(const Sample* p) { return (F)((I)from(p) & I{-1, -1, -1, 0}); }

    // A texel whose samples are in an integer, the first one lowest.
    template <class Sample> static F of_bits(uint64_t bits, Sample) {
        Sample samples[8 / sizeof(Sample)];
        __builtin_memcpy(samples, &bits, sizeof samples);
        if constexpr (sizeof(Sample) < 4) return from(samples);
        else return F{samples[0], samples[1], 0, 0};
    }

    static F gather(const float* from, I index) {
        return F{from[index[0]], from[index[1]], from[index[2]], from[index[3]]};
    }

    // The first weight in four lanes.
    static F spread(const float* w) { return all(w[0]); }
    static F spread_to_three(const float* w) { return all(w[0]); }

    // One byte per lane, of values in [0, 255].
    static void store_bytes(uint8_t* p, F v) {
        const uint32_t bytes = bytes_of(ints(v));
        __builtin_memcpy(p, &bytes, sizeof bytes);
    }

    // The bytes of a texel, without the fourth one, which is written too.
    static void store_three_bytes(uint8_t* p, F v) { store_bytes(p, v); }

    // Whole numbers below the positions plus `half`, and the rest of the positions, in [−half, 1 − half].
    static void locate(const double* x, double half, int offset, int* whole, float* rest) {
        for (int lane = 0; lane < 4; ++lane) {
            const double shifted = x[lane] + half;
            int below = int(shifted);
            below -= shifted < below;
            whole[lane] = below + offset;
            rest[lane] = float(x[lane] - below);
        }
    }

    // Whole numbers and rest of positions base + steps[lane] in fixed point; see Kernels::fixed_weights.
    static void locate(const int64_t* steps, int64_t base, int offset, int* whole, float* rest) {
        const I a = (I)(loaded<L2>(steps) + base), b = (I)(loaded<L2>(steps + 2) + base);
        store(whole, __builtin_shufflevector(a, b, 1, 3, 5, 7) + offset);
        const I part = __builtin_shufflevector(a, b, 0, 2, 4, 6) & int32_t(~fixed_cut);
        store(rest, floats(part >> 1 & 0x7fffffff) * 0x1p-31f);
    }
};

inline D2 to_doubles(const float* p, D2) { return D2{p[0], p[1]}; }
inline void store_floats(float* p, D2 v) {
    p[0] = float(v[0]);
    p[1] = float(v[1]);
}
inline D2 square_root(D2 v) { return roots(v); }
inline D2 fused(D2 a, D2 b, D2 c) { return a * b + c; }

template <int q> F4 quad(F4 v) {
    static_assert(q == 0);
    return v;
}

}  // namespace
}  // namespace texelscope::simd

#include "gpu/method/simd/table.h"  // of the vectors above

namespace texelscope::simd {
namespace {

#if defined(__wasm_simd128__)
constexpr Kernels table = table_of("WebAssembly vectors");
#elif defined(__SSE2__)
constexpr Kernels table = table_of("SSE2");
#else
constexpr Kernels table = table_of("vectors of four");
#endif

}  // namespace

extern const Kernels* const baseline_kernels = &table;

// The choice of the vector code that runs here.

// Null if the compiler does not know the instructions.
extern const Kernels* const avx2_kernels;
extern const Kernels* const avx512_kernels;

namespace {

#if defined(__x86_64__)
// Some compilers' __builtin_cpu_supports does not know this name.
bool has_f16c() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

bool runs(Instructions instructions) {
    if (instructions == Instructions::baseline) return true;
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    if (instructions == Instructions::avx2) return avx2;
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

const Kernels* compiled(Instructions instructions) {
    switch (instructions) {
        case Instructions::baseline: return baseline_kernels;
        case Instructions::avx2: return avx2_kernels;
        case Instructions::avx512: return avx512_kernels;
    }
    return nullptr;
}

}  // namespace

Instructions best_instructions() {
    for (const Instructions instructions : {Instructions::avx512, Instructions::avx2})
        if (runs(instructions) && compiled(instructions)) return instructions;
    return Instructions::baseline;
}

const Kernels& kernels(Instructions instructions) {
    const Kernels* found = runs(instructions) ? compiled(instructions) : nullptr;
    if (!found) throw Error("this processor, or this build, does not have the vector instructions that were requested");
    return *found;
}

}  // namespace texelscope::simd
