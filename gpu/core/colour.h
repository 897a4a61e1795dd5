#pragma once
// Levels on the screen.

#include <cstdint>

#include "gpu/core/platform.h"

namespace texelscope {

// Neutral grey (#202020) around the picture and behind transparent pixels.
inline constexpr float background_level = 32.0f / 255.0f;

// Clamps to [0, 1], then rounds to nearest; NaN becomes 0.
TS_HD uint32_t to_8_bits(float value) {
    if (!(value > 0)) return 0;
    return value >= 1 ? 255u : uint32_t(value * 255.0f + 0.5f);
}

}  // namespace texelscope
