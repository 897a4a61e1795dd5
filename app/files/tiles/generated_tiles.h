#pragma once
// Test images of any size, of which only the regions that are read are ever made.

#include <memory>
#include <string_view>

#include "gpu/core/tile_source.h"

namespace texelscope {

// `@id:N` or `@id:WxH` with sides of up to max_image_side; the samples are those of make_test_image. Throws UsageError for
// an unknown id or a bad size, NotInParts for a test image that can only be made as a whole.
std::unique_ptr<const TileSource> generated_tiles(std::string_view spec);

}  // namespace texelscope
