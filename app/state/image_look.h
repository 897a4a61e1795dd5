#pragma once
// Levels and non-finite samples that are found in an image when it is opened, so that its data are visible.

#include <optional>

namespace texelscope {

// The stored values that are shown black and white.
struct Levels {
    float black = 0, white = 1;
    bool operator==(const Levels&) const = default;
};

struct ImageLook {
    std::optional<Levels> levels;  // those of the data; empty: the samples are values for display, 0 … 1
    bool nan = false, plus_infinity = false, minus_infinity = false;  // there are such samples
    bool finite() const { return !nan && !plus_infinity && !minus_infinity; }
    bool operator==(const ImageLook&) const = default;
};

}  // namespace texelscope
