#pragma once
// The spot of a picture that panes show: where it is, and its pixels as the viewer shows them.

#include "app/studies/restoring/restoring.h"

namespace texelscope {

// Around this pixel, within the picture: large enough for 24 samples of a small picture along each axis. (−1, −1): in
// the centre.
WorstSpot spot_around(const Image& original, const Restoration& restoration, int worst_x, int worst_y);

// The spot of a picture of the original's size, in the same format.
Image cut_out(const Image& picture, const WorstSpot& spot);

// f32, premultiplied if there is alpha, as u8 × 4, opaque. Floats are scaled so that the original's largest one is white,
// if it is above 1.
Image shown(const Image& values, const Image& original);

}  // namespace texelscope
