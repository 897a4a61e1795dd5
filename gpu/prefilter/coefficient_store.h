#pragma once
// Coefficients as they are written: float, or binary16 if the array has that type.

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

}  // namespace texelscope
