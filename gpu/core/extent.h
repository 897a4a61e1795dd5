#pragma once

#include <cstdint>

namespace texelscope {

// Of an image, an output or a window.
struct Extent {
    int width = 0, height = 0;
    bool empty() const { return width < 1 || height < 1; }
    bool operator==(const Extent&) const = default;
};

// Samples [x, x + width) × [y, y + height) of an image or of one of its levels.
struct SampleRegion {
    int64_t x = 0, y = 0;
    int width = 0, height = 0;

    bool empty() const { return width <= 0 || height <= 0; }
    bool operator==(const SampleRegion&) const = default;
};

}  // namespace texelscope
