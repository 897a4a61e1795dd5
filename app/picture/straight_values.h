#pragma once
// The values of a pixel that count for levels.

#include <vector>

#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

// The least visible alpha, half a level of 8 bits: the colours of pixels with less do not count.
inline constexpr float least_alpha = 0.5f / 255;

// Appends the straight values of all colour channels, or of the one that is shown, except those that are not finite or
// not visible.
void append_straight_values(const Image& image, int x, int y, ChannelView shown, std::vector<double>& values);

}  // namespace texelscope
