#pragma once
// Values to the pixels of the screen, like output.h. Included once for each set of instructions.

#include "gpu/method/simd/kernels.h"
#include "gpu/method/simd/samples.h"

namespace texelscope::simd {
namespace {

// To [0, 255], to be truncated; NaN becomes 0.
template <class F> F level(F v) {
    using L = Lanes<sizeof(F) / sizeof(float)>;
    v = v > 0 ? v : L::all(0);
    v = v < 1 ? v : L::all(1);
    return v * 255 + 0.5f;
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
