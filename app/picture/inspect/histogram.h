#pragma once
// The histogram of a picture's values.

#include <span>

#include "app/state/inspect_report.h"
#include "gpu/core/image.h"

namespace texelscope {

inline constexpr int histogram_bins = 256;

// For `channels` floats per pixel. `counted`: one flag per pixel, 0 leaves it out; empty: all count. Bins cover the
// finite values; for integers at least [0, 1], there centred on the 256 levels of 8 bits.
HistogramReport histogram_of(std::span<const float> values, int channels, bool integers,
                             std::span<const unsigned char> counted = {});

}  // namespace texelscope
