#pragma once
// Chooses the level of the pyramid that each pixel of a map of coordinates reads, so that its weight function is
// widened as far as under a view.

#include <vector>

#include "gpu/backend/read_plan.h"
#include "gpu/core/points.h"
#include "gpu/method/spec.h"

namespace texelscope {

// The level of each of width × height pixels, for the distances to the neighbouring points along each axis of sample
// space, on the side where they are closer, so that a seam of the map is no stretch. The points are in host memory and
// in samples of the image.
std::vector<Level> levels_of_map(const PointsView& points, int width, int height, const MethodSpec& spec,
                                 const ImageShape& image);

}  // namespace texelscope
