#pragma once
// The values of a pixel that count for levels.

#include <vector>

#include "gpu/core/image.h"
#include "gpu/display/display_settings.h"

namespace texelscope {

// Below half a level of 8 bits alpha shows nothing: such a pixel has no colour that would count.
inline constexpr float least_alpha = 0.5f / 255;

// Those of all colour channels, or of the one that is shown, as straight colour: appended, unless they are not finite or
// nothing is seen of them.
void append_straight_values(const Image& image, int x, int y, ChannelView shown, std::vector<double>& values);

}  // namespace texelscope
