#pragma once
// The image of a source that a request reads: samples or coefficients, and the level of the pyramid.

#include "gpu/backend/backend.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

struct ReadLevel {
    TexelArray texels;  // without memory: only size, margins and address modes
    int halved_x = 0, halved_y = 0;
    bool coefficients = false;
};

// `resampling` is resampling_of(request).
ReadLevel read_level(SourceImage& source, const RenderRequest& request, const Resampling& resampling);

}  // namespace texelscope
