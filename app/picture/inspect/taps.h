#pragma once
// Tap view: from an output pixel back to the texels that contribute to it, with the weights that its path computes.

#include <optional>

#include "app/state/inspect_report.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// The taps of output pixel (i, j) of the request. Σ weight · texel is the pixel up to float32 rounding; on the
// `hardware` path over integer or half-float texels, each fetch is also rounded to their precision. The caller sets
// `pane`. None if samples have still to come. Throws OutOfMemory or Error as SourceImage::render does.
std::optional<TapReport> taps_at(SourceImage& source, const RenderRequest& request, int i, int j);

}  // namespace texelscope
