#pragma once
// The ideal reduction of a picture: what a lens without any detail beyond the small picture's Nyquist frequency would have
// let through.

#include "gpu/core/image.h"

namespace texelscope {

// Whether every sample is: one that is not spoils the whole spectrum.
bool all_finite(const Image& picture);

// The picture (f32) at a size that is not larger, outer edges aligned: its spectrum, cut off at the small picture's
// Nyquist frequency along each axis and evaluated at the small picture's samples, all in float64. The picture is continued
// by its mirror image (half-sample symmetric), which has no seam. Values beyond the picture's range are kept. Throws Error
// unless all samples are finite, OutOfMemory.
Image band_limited(const Image& picture, Extent size);

}  // namespace texelscope
