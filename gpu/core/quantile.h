#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace texelscope {

// The value at a fraction (0 … 1) of sorted values, linear between neighbours; there must be one. ½: the median.
inline double quantile(std::span<const double> sorted, double fraction) {
    const double at = fraction * double(sorted.size() - 1);
    const size_t below = size_t(at), above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace texelscope
