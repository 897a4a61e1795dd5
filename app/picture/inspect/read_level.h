#pragma once
// Which of a source's images a request reads: samples or coefficients, of which level of the pyramid.

#include "gpu/backend/backend.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

struct ReadLevel {
    TexelArray texels;  // without memory: size, margins and address modes alone
    int halved_x = 0, halved_y = 0;
    bool coefficients = false;
};

// `resampling` is resampling_of(request).
ReadLevel read_level(SourceImage& source, const RenderRequest& request, const Resampling& resampling);

}  // namespace texelscope
