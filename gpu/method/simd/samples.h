#pragma once
// Loads, stores and shuffles that the kernels share. Included once for each set of instructions.

#include "gpu/method/simd/kernels.h"

namespace texelscope::simd {
namespace {

template <class Sample> constexpr bool is_integer() { return Sample(-1) > Sample(0); }
template <> constexpr bool is_integer<float>() { return false; }
template <> constexpr bool is_integer<Half>() { return false; }

// The factor for a stored number.
template <class Sample> constexpr float share() { return 1; }
template <> constexpr float share<uint8_t>() { return 1.0f / 255.0f; }
template <> constexpr float share<uint16_t>() { return 1.0f / 65535.0f; }

// One or two samples; the other lanes are zero.
template <int count, class Sample> F4 first_of(const Sample* p) {
    static_assert(count <= 2);
    uint64_t bits = 0;
    __builtin_memcpy(&bits, p, count * sizeof(Sample));
    return Lanes<4>::of_bits(bits, Sample());
}

template <class F> bool all_zero(F v) {  // NaN is not zero
    bool zero = true;
    for (unsigned lane = 0; lane < sizeof(F) / sizeof(float); ++lane) zero &= v[lane] == 0;
    return zero;
}

// The sum of a vector's quads.
inline F4 folded(F4 v) { return v; }
#if defined(__AVX2__)
inline F4 folded(F8 v) { return quad<0>(v) + quad<1>(v); }
#endif
#if defined(__AVX512F__)
inline F4 folded(F16 v) { return (quad<0>(v) + quad<1>(v)) + (quad<2>(v) + quad<3>(v)); }
#endif

// a0 b0 a1 b1 and a2 b2 a3 b3.
inline void interleave(F4 (&v)[2]) {
    const F4 a = v[0], b = v[1];
    v[0] = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    v[1] = __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

inline void transpose(F4 (&v)[4]) {
    F4 top[2] = {v[0], v[1]}, bottom[2] = {v[2], v[3]};
    interleave(top);
    interleave(bottom);
    for (int n = 0; n < 2; ++n) {
        v[2 * n] = __builtin_shufflevector(top[n], bottom[n], 0, 1, 4, 5);
        v[2 * n + 1] = __builtin_shufflevector(top[n], bottom[n], 2, 3, 6, 7);
    }
}

#if defined(__AVX2__)
inline void transpose(F8 (&v)[8]) {
    __m256 pairs[8], quads[8];
    for (int n = 0; n < 8; n += 2) {
        pairs[n] = _mm256_unpacklo_ps((__m256)v[n], (__m256)v[n + 1]);
        pairs[n + 1] = _mm256_unpackhi_ps((__m256)v[n], (__m256)v[n + 1]);
    }
    for (int n = 0; n < 8; n += 4)
        for (int half = 0; half < 2; ++half) {
            quads[n + 2 * half] = _mm256_shuffle_ps(pairs[n + half], pairs[n + half + 2], 0x44);
            quads[n + 2 * half + 1] = _mm256_shuffle_ps(pairs[n + half], pairs[n + half + 2], 0xee);
        }
    for (int n = 0; n < 4; ++n) {
        v[n] = (F8)_mm256_permute2f128_ps(quads[n], quads[n + 4], 0x20);
        v[n + 4] = (F8)_mm256_permute2f128_ps(quads[n], quads[n + 4], 0x31);
    }
}
#endif

#if defined(__AVX512F__)
// Interleaves within each quad.
inline void interleave(F16 (&v)[2]) {
    const __m512 a = (__m512)v[0], b = (__m512)v[1];
    v[0] = (F16)_mm512_unpacklo_ps(a, b);
    v[1] = (F16)_mm512_unpackhi_ps(a, b);
}
inline void transpose(F16 (&v)[4]) {
    const __m512d a = (__m512d)_mm512_unpacklo_ps((__m512)v[0], (__m512)v[1]),
                  b = (__m512d)_mm512_unpackhi_ps((__m512)v[0], (__m512)v[1]),
                  c = (__m512d)_mm512_unpacklo_ps((__m512)v[2], (__m512)v[3]),
                  d = (__m512d)_mm512_unpackhi_ps((__m512)v[2], (__m512)v[3]);
    v[0] = (F16)_mm512_unpacklo_pd(a, c);
    v[1] = (F16)_mm512_unpackhi_pd(a, c);
    v[2] = (F16)_mm512_unpacklo_pd(b, d);
    v[3] = (F16)_mm512_unpackhi_pd(b, d);
}
#endif

// Four pixels of one channel, or of two.
inline void store_interleaved(float* p, const F4 (&v)[1]) { Lanes<4>::store(p, v[0]); }
inline void store_interleaved(float* p, const F4 (&v)[2]) {
    F4 both[2] = {v[0], v[1]};
    interleave(both);
    Lanes<4>::store(p, both[0]);
    Lanes<4>::store(p + 4, both[1]);
}

}  // namespace

// Values to the pixels of the screen, like output.h. Included once for each set of instructions.

namespace {

// To [0, 255], to be truncated; NaN becomes 0.
template <class F> F level(F v) {
    using L = Lanes<sizeof(F) / sizeof(float)>;
    v = v > 0 ? v : L::all(0);
    v = v < 1 ? v : L::all(1);
    return v * 255 + 0.5f;
}

void levels(const float* values, int count, uint8_t* to) {
    using L = Lanes<widest>;
    int n = 0;
    for (; n + widest <= count; n += widest) L::store_bytes(to + n, level(L::load(values + n)));
    for (; n < count; ++n) to[n] = uint8_t(level(Lanes<4>::all(values[n]))[0]);
}

// A vector of texels writes as many bytes as it has lanes, those too many where the next ones will be.
void levels_of_three(const float* values, int texels, uint8_t* to) {
    using L = Lanes<widest>;
    constexpr int together = widest / 4;
    int n = 0;
    for (; 3 * n + widest <= 3 * texels; n += together)
        L::store_three_bytes(to + 3 * n, level(L::load(values + 4 * n)));
    for (; n < texels; ++n) {
        uint8_t bytes[4];
        Lanes<4>::store_bytes(bytes, level(Lanes<4>::load(values + 4 * n)));
        __builtin_memcpy(to + 3 * n, bytes, 3);
    }
}

void grey(const float* values, int count, uint32_t* pixels) {
    using L = Lanes<widest>;
    for (int n = 0; n < count; n += widest)
        L::store(reinterpret_cast<int*>(pixels) + n,
                 L::ints(level(L::load(values + n))) * 0x010101 | int32_t(0xff000000));
}

// A vector with `v` in lanes that are a colour, and `alpha` in those that are the fourth channel.
template <class F> F with_alpha(F colours, F alpha) {
    using I = typename Lanes<sizeof(F) / sizeof(float)>::I;
    I is_alpha;
    for (unsigned lane = 0; lane < sizeof(F) / sizeof(float); ++lane) is_alpha[lane] = lane % 4 == 3 ? -1 : 0;
    return is_alpha ? alpha : colours;
}

// Each pixel's alpha in all of its lanes.
template <class F> F alpha_of(F v) {
    F alpha;
    for (unsigned lane = 0; lane < sizeof(F) / sizeof(float); ++lane) alpha[lane] = v[lane | 3u];
    return alpha;
}

void colour(const float* values, int count, bool alpha, float background, uint32_t* pixels) {
    using L = Lanes<widest>;
    auto* bytes = reinterpret_cast<uint8_t*>(pixels);
    for (int n = 0; n < 4 * count; n += widest) {
        auto v = L::load(values + n);
        if (alpha) v += (1 - alpha_of(v)) * background;
        L::store_bytes(bytes + n, level(with_alpha(v, L::all(1))));
    }
}

}  // namespace
}  // namespace texelscope::simd
