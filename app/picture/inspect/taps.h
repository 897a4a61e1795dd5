#pragma once
// Tap view: from an output pixel back to the texels that it is made of, with the weights that its path computes.

#include "app/state/inspect_report.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// The taps of output pixel (i, j) of the request. Σ weight · texel is the pixel to float32 rounding; on the path
// `hardware` over integer or half-float texels each fetch is rounded to their precision as well. `pane` is the caller's
// to set. Throws OutOfMemory or Error as SourceImage::render does.
TapReport taps_at(SourceImage& source, const RenderRequest& request, int i, int j);

}  // namespace texelscope
