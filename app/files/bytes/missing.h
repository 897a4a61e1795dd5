#pragma once
// Words for a picture whose file lacks some of its pixels.

#include <string>

#include "gpu/core/sample_region.h"

namespace texelscope {

// The missing part in words: "the file ends early; 57 % of the rows are there".
std::string words_of_missing(const SampleRegion& missing, int width, int height);

}  // namespace texelscope
