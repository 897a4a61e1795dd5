#pragma once
// The values of a picture that is a function, at the positions of a rendition: the truth that methods approximate.

#include <vector>

#include "app/picture/rendition.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// In float64, channels of the image per pixel, rows packed, premultiplied if there is alpha, and not rounded to the
// image's type. Of the formula's stored values, also if the rendition interpolates linear light.
//
// Masked values are NaN, at pixels whose value the samples cannot tell, or the output cannot show:
// - a wave has more than half a cycle per sample along x or y; or, along an axis of the output that zooms out, per pixel;
// - an edge, narrower than one sample (or pixel, if that is more), is less than half a sample (or pixel) away.
std::vector<double> formula_values(const Rendition& rendition);

// Rows of the same, for an image that need not be there: `values` has room for as many doubles per pixel as it has channels.
void formula_rows(const RenderRequest& request, const ImageInfo& image, const TestImageRequest& formula, bool masked,
                  int first, int count, double* values);

// How many pixels of a masked rendition are masked, beyond the image's edges none.
int64_t masked_pixels(const Rendition& rendition);

}  // namespace texelscope
