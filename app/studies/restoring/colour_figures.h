#pragma once
// Which pixels' colours are compared.

#include <vector>

#include "gpu/core/extent.h"
#include "gpu/core/image.h"

namespace texelscope {

// Whether an image has colours: three channels, or three and alpha.
bool has_colours(const Image& image);

// From the top: all rows, or of a picture with more than 2 million pixels one at a random place in each of many strips of
// equal height: enough for three digits of the mean and of the percentile. The same rows each time.
std::vector<int> compared_rows(Extent size);

}  // namespace texelscope
