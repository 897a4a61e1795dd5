#pragma once
// Histogram: how often values occur in a picture.

#include <span>

#include "app/state/inspect_report.h"
#include "gpu/core/image.h"

namespace texelscope {

inline constexpr int histogram_bins = 256;

// Of `channels` floats a pixel. `counted`: one flag a pixel, 0 leaves it out; empty: all count. Bins reach over the
// finite values; of integers over [0, 1] at least, there centred on the 256 levels of 8 bits.
HistogramReport histogram_of(std::span<const float> values, int channels, bool integers,
                             std::span<const unsigned char> counted = {});

}  // namespace texelscope
