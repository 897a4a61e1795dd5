#pragma once

#include <cstdint>

namespace texelscope {

// Samples [x, x + width) × [y, y + height) of an image or of one of its levels.
struct SampleRegion {
    int64_t x = 0, y = 0;
    int width = 0, height = 0;

    bool empty() const { return width <= 0 || height <= 0; }
    bool operator==(const SampleRegion&) const = default;
};

}  // namespace texelscope
