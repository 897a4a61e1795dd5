#pragma once
// Views of images that are parts of a frame (Image::frame): they are about the frame's centre, so that all parts of one
// frame lie where they belong.

#include "gpu/core/image.h"
#include "gpu/core/view.h"

namespace texelscope {

// The image's frame, in its samples; all of its samples if it has none.
SampleRegion frame_around(const Image& image);
Extent frame_size(const Image& image);

// The view, converted to be about the centre of the image's samples, as the engine expects it.
View about_samples(const View& view, const Image& image);

}  // namespace texelscope
