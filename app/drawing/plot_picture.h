#pragma once

#include "app/drawing/plot.h"
#include "gpu/core/image.h"

namespace texelscope {

// The same as to_svg() in pixels, u8 × 3: `scale` of them per pixel of the plot. Throws Error as to_svg() does.
Image plot_picture(const Plot& plot, double scale = 2);

}  // namespace texelscope
