#pragma once
// All of this is as app/files/codecs/openexr_module.h says.

#include <memory>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

void decode_exr(const EncodedFile& file, ByteSpan content, DecodingTarget& target);

// In exr_metadata.cpp.
std::vector<MetadataRow> describe_exr(ByteSpan content, int part);

// In exr_regions.cpp.
std::unique_ptr<const TileSource> exr_regions(const EncodedFile& file);

}  // namespace texelscope
