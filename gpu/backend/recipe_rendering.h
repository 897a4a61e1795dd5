#pragma once
// Pictures by recipes (gpu/recipes): along the axes by the taps of their rules; rotated, warped and at points by the weight
// function that they have in common with a method.

#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"

namespace texelscope {

// Whether a request names a recipe that its rules compute: its positions are along the axes and increase.
bool is_by_rules(const RenderRequest& request, const ImageShape& image);

// The request as it is planned: a recipe widens its weight function where it says so, whatever the request asks for.
RenderRequest without_recipe(const RenderRequest& request);

// Throws OutOfMemory or Error.
void render_recipe(SourceImage& source, SampleType stored, const Resampling& resampling, const RenderTarget& target);

}  // namespace texelscope
