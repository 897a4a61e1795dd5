#pragma once
// What to say of a picture whose file does not have all of its pixels.

#include <string>

#include "gpu/core/sample_region.h"

namespace texelscope {

// "the file ends early; 57 % of the rows are there"
std::string words_of_missing(const SampleRegion& missing, int width, int height);

}  // namespace texelscope
