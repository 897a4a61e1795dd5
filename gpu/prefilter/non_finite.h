#pragma once
// NaN and infinity must not spread along whole rows through the recursion. The filter sees a finite neighbour instead,
// and the coefficient at exactly that position is the NaN or infinity itself: an interpolated value is then not finite
// exactly where the method's support touches the sample. Finite values so large that the filter's gain (3 per axis for
// the cubic B-spline, 18.5 for the septic) would overflow, such as the largest float, which some files use for "no data",
// are treated alike.

#include <cmath>

#include "gpu/core/pixel.h"

namespace texelscope {

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
