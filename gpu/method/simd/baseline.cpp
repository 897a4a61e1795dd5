// The vector code for any processor that the program is compiled for, with SSE2 where that is the baseline: vectors of four floats.
// See kernels.h for the linkage.

#include <cstdint>

#include "gpu/core/errors.h"
#include "gpu/method/simd/kernels.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace texelscope::simd {
namespace {

using F4 = float __attribute__((vector_size(16)));
using I4 = int32_t __attribute__((vector_size(16)));

struct Half {  // IEEE binary16
    uint16_t bits;
};

constexpr int widest = 4;

// W lanes: F and I are their floats and ints.
template <int W> struct Lanes;

template <> struct Lanes<4> {
    using F = F4;
    using I = I4;

    template <class V> static V loaded(const void* from) {
        V v;
        __builtin_memcpy(&v, from, sizeof v);
        return v;
    }
    static F load(const float* p) { return loaded<F>(p); }
    static void store(float* p, F v) { __builtin_memcpy(p, &v, sizeof v); }
    static void store(int* p, I v) { __builtin_memcpy(p, &v, sizeof v); }
    static F all(float v) { return F{v, v, v, v}; }
    static F fma(F a, F b, F c) { return a * b + c; }
    static F root(F v) {
#if defined(__SSE2__)
        return (F)_mm_sqrt_ps((__m128)v);
#else
        return F{__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]), __builtin_sqrtf(v[3])};
#endif
    }

    static F floats(I v) {
#if defined(__SSE2__)
        return (F)_mm_cvtepi32_ps((__m128i)v);
#else
        return __builtin_convertvector(v, F);
#endif
    }
    static I ints(F v) {                     // truncated
#if defined(__SSE2__) && !defined(__wasm__)  // for which Emscripten calls lrint() four times
        return (I)_mm_cvttps_epi32((__m128)v);
#else
        return __builtin_convertvector(v, I);
#endif
    }

    static F from(const float* p) { return load(p); }
    static F from(const uint8_t* p) {
#if defined(__SSE2__)
        const __m128i zero = _mm_setzero_si128(), bytes = _mm_cvtsi32_si128(loaded<int>(p));
        return floats((I)_mm_unpacklo_epi16(_mm_unpacklo_epi8(bytes, zero), zero));
#else
        return F{float(p[0]), float(p[1]), float(p[2]), float(p[3])};
#endif
    }
    static F from(const uint16_t* p) { return floats(widened(p)); }

    // The exponent is rebiased from 15 to 127 by a product, which is exact for subnormal halves as well.
    static F from(const Half* p) {
        const I half = widened(reinterpret_cast<const uint16_t*>(p));
        const I magnitude = (half & 0x7fff) << 13, sign = (half & 0x8000) << 16;
        const I scaled = (I)((F)magnitude * all(0x1p112f));
        const I beyond = magnitude >= 0x0f800000;  // infinity, NaN
        return (F)(scaled | (beyond & 0x7f800000) | sign);
    }

    template <class Sample> static I wholes(const Sample* p) { return ints(from(p)); }
    template <class Sample> static I wholes_of_three(const Sample* p) { return ints(three(p)); }

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
#if defined(__SSE2__)
        const __m128i words = _mm_packs_epi32((__m128i)ints(v), (__m128i)ints(v));
        const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
        __builtin_memcpy(p, &bytes, sizeof bytes);
#else
        for (int lane = 0; lane < 4; ++lane) p[lane] = uint8_t(v[lane]);
#endif
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
        for (int lane = 0; lane < 4; ++lane) {
            const int64_t x = base + steps[lane];
            whole[lane] = int(x >> 32) + offset;
            rest[lane] = float(uint32_t(x) & ~fixed_cut) * 0x1p-32f;
        }
    }

private:
    static I widened(const uint16_t* p) {
#if defined(__SSE2__)
        return (I)_mm_unpacklo_epi16(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)), _mm_setzero_si128());
#else
        return I{p[0], p[1], p[2], p[3]};
#endif
    }
};

using D2 = double __attribute__((vector_size(16)));
inline D2 to_doubles(const float* p, D2) { return D2{p[0], p[1]}; }
inline void store_floats(float* p, D2 v) {
    p[0] = float(v[0]);
    p[1] = float(v[1]);
}
inline D2 square_root(D2 v) {
#if defined(__SSE2__)
    return (D2)_mm_sqrt_pd((__m128d)v);
#else
    return D2{__builtin_sqrt(v[0]), __builtin_sqrt(v[1])};
#endif
}
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

#if defined(__SSE2__)
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
