#pragma once
// Small pictures of images, for the filmstrip and for the desktop's thumbnails.

#include <stop_token>

#include "app/state/view_math.h"
#include "gpu/core/image.h"

namespace texelscope {

// The size of an image within a box, with its proportions, at least 1×1; never enlarged.
Extent fitted_extent(Extent image, Extent box);

// The image within a box: u8, RGB, with straight alpha if the image has alpha. Antialiased, by the sum of light: integers
// are sRGB. Colours follow the image's profile, for a screen that is sRGB; data have the levels that they open with
// (look_at), and samples that are not finite are marked. Takes
// memory for at most a few times the box, whatever the image's size; a quarter of a second for 24 million pixels. Throws
// Cancelled.
Image small_picture(const Image& image, Extent box, const std::stop_token& stop = {});

}  // namespace texelscope
