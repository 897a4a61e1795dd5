#include "gpu/core/tile_source.h"

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {

void check_region(const TileSource& source, int level, const SampleRegion& region) {
    const auto& [x, y, width, height] = region;
    if (level < 0 || level >= source.levels())
        throw Error(fmt::format("level {} does not exist: there are 0 to {}", level, source.levels() - 1));
    const Extent extent = source.level_extent(level);
    const bool inside = x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= extent.width &&
                        height <= extent.height && x <= extent.width - width && y <= extent.height - height;
    if (!inside)
        throw Error(fmt::format("the region of {}×{} samples from ({}, {}) on is not inside the image of {}×{}", width,
                                height, x, y, extent.width, extent.height));
}

}  // namespace texelscope
