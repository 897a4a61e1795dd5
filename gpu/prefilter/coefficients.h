#pragma once
// Coefficients as a prefilter stores them, and what samples that are not finite make of them.

#include <cmath>

#include "gpu/core/half.h"
#include "gpu/core/pixel.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

// Rounded to nearest. A finite coefficient stays finite, ±65504 at most.
TS_HD uint16_t half_coefficient(float v) {
    constexpr float largest = 65504;
    return float_to_half(fabsf(v) <= 3.4028235e38f ? fminf(fmaxf(v, -largest), largest) : v);
}

#if defined(__CUDACC__)
// N coefficients side by side, aligned to their size.
template <bool half_float, int N> __device__ void store_coefficients(void* at, const float (&v)[N]) {
    if constexpr (half_float) {
        struct alignas(2 * N) {
            uint16_t v[N];
        } stored;
        TS_UNROLL
        for (int i = 0; i < N; ++i) stored.v[i] = half_coefficient(v[i]);
        *static_cast<decltype(stored)*>(at) = stored;
    } else {
        struct alignas(4 * N) {
            float v[N];
        } stored;
        TS_UNROLL
        for (int i = 0; i < N; ++i) stored.v[i] = v[i];
        *static_cast<decltype(stored)*>(at) = stored;
    }
}

// Position of a texel in memory; x and y count from the margin's first.
template <int C> __device__ char* texel_at(const TexelArray& out, void* texels, int x, int y) {
    return static_cast<char*>(texels) + size_t(y) * out.row_bytes +
           size_t(x) * C * (out.type == SampleType::f16 ? 2 : 4);
}

template <int C> __device__ void store_texel(const TexelArray& out, void* at, const Pixel<C>& coefficients) {
    if (out.type == SampleType::f16) store_coefficients<true>(at, coefficients.v);
    else store_coefficients<false>(at, coefficients.v);
}
#endif

// NaN and infinity must not spread along whole rows through the recursion. The filter sees a finite neighbour instead,
// and the coefficient at exactly that position is the NaN or infinity itself: an interpolated value is then not finite
// exactly where the method's support touches the sample. Finite values so large that the filter's gain (3 per axis for
// the cubic B-spline, 18.5 for the septic) would overflow, such as the largest float, which some files use for "no data",
// are treated alike.

inline constexpr float largest_filterable = 1e35f;

TS_HD bool is_filterable(float v) { return fabsf(v) <= largest_filterable; }

// The filter's input for sample `v` with neighbours `before` and `after` on its row.
TS_HD float finite_stand_in(float v, float before, float after) {
    if (is_filterable(v)) return v;
    return is_filterable(before) ? before : is_filterable(after) ? after : 0.0f;
}

// A value that cannot be filtered is its own coefficient.
template <int C> TS_HD void restore_non_finite(const Pixel<C>& samples, Pixel<C>& coefficients) {
    TS_UNROLL
    for (int c = 0; c < C; ++c)
        if (!is_filterable(samples.v[c])) coefficients.v[c] = samples.v[c];
}

}  // namespace texelscope
