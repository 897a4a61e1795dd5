#pragma once
// Where methods differ most.

#include <optional>

#include "gpu/core/image.h"
#include "gpu/core/view.h"

namespace texelscope {

// The sample around which methods differ most within a part of an image, which lies in it; none if its samples are not in
// memory, or are alike everywhere. By the second differences of the samples, since what methods make of them differs by
// what is left when a straight line is taken away: between bilinear and any smooth cubic that is a sum of second
// differences with weights of at most 1/8, nearest differs at edges as well, where these are large on both sides. The mean
// of their squares over areas of some 100 samples' width counts, as many as a pane shows at 400 %: not one bright
// sample. At most half a million samples are looked at, so it takes some 10 ms for an image of any size.
std::optional<Point> place_of_difference(const Image& image, const SampleRegion& within);

}  // namespace texelscope
