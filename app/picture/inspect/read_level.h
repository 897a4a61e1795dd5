#pragma once
// The image of a source that a request reads: samples or coefficients, and the level of the pyramid.

#include "gpu/backend/backend.h"
#include "gpu/method/resample_job.h"

namespace texelscope {

struct ReadLevel {
    TexelArray texels;  // without memory: only size, margins and address modes
    Level level;
    bool coefficients = false;
};

ReadLevel read_level(const ResidentImage& samples, const Resampling& resampling);

}  // namespace texelscope
