#pragma once
// Pixel<C>: the float value of C channels, the only arithmetic type of the interpolation code.

#include <cmath>

#include "gpu/core/platform.h"

namespace texelscope {

// Channels that a texel of this many is computed with: three are four, the last of which is zero.
constexpr int pixel_channels(int stored) { return stored == 3 ? 4 : stored; }

// C is 1, 2 or 4; see pixel_channels().
template <int C> struct alignas(C * sizeof(float)) Pixel {
    float v[C];

    TS_HD static Pixel zero() {
        Pixel p;
        TS_UNROLL
        for (int c = 0; c < C; ++c) p.v[c] = 0.0f;
        return p;
    }
    TS_HD static Pixel nan() {
        Pixel p;
        TS_UNROLL
        for (int c = 0; c < C; ++c) p.v[c] = nanf("");
        return p;
    }
    TS_HD void add_scaled(float weight, const Pixel& other) {
        TS_UNROLL
        for (int c = 0; c < C; ++c) v[c] += weight * other.v[c];
    }
};

template <int C> TS_HD Pixel<C> operator+(Pixel<C> a, const Pixel<C>& b) {
    TS_UNROLL
    for (int c = 0; c < C; ++c) a.v[c] += b.v[c];
    return a;
}
template <int C> TS_HD Pixel<C> operator*(float s, Pixel<C> a) {
    TS_UNROLL
    for (int c = 0; c < C; ++c) a.v[c] *= s;
    return a;
}

}  // namespace texelscope
