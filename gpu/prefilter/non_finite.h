#pragma once
// NaN and infinity must not spread along whole rows through the recursion. The filter sees a finite neighbour in
// their place, and the coefficient at that very place is the NaN or infinity itself: an interpolated value is then
// not finite exactly where the method's support touches the sample.

#include <cmath>

#include "gpu/core/platform.h"

namespace texelscope {

TS_HD bool is_finite(float v) { return fabsf(v) <= 3.402823466e38f; }

// What the filter sees for sample `v` with neighbours `before` and `after` on its row.
TS_HD float finite_stand_in(float v, float before, float after) {
    if (is_finite(v)) return v;
    return is_finite(before) ? before : is_finite(after) ? after : 0.0f;
}

}  // namespace texelscope
