#pragma once
// The minimum number of texels that a rendering has to read.

#include "gpu/core/view.h"

namespace texelscope {

// Area, in texels, that the output's pixels read: the parallelogram of their positions, widened by the support of the
// weight function (samples along x and y: the taps times the stretch), within the image's extent.
double footprint(const Affine& positions, int output_width, int output_height, double support_x, double support_y,
                 int image_width, int image_height);

}  // namespace texelscope
