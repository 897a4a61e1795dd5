#pragma once

#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/picture_facts.h"

namespace texelscope {

// What a whole file says about its colours (colour_tags.h) in words. Little CMS reads an embedded profile: to be called
// where a crash harms nothing.
std::vector<MetadataRow> colour_rows(ByteSpan file);

}  // namespace texelscope
