#pragma once

#include "gpu/core/tile_source.h"

namespace texelscope {

// Throws Error unless the source has the level, and the region is inside it and not empty.
void check_region(const TileSource& source, int level, const SampleRegion& region);

}  // namespace texelscope
