#pragma once
// OpenEXR through its library; app/files/codecs/modules.h describes these functions.

#include <memory>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

void decode_exr(const EncodedFile& file, ByteSpan content, DecodingTarget& target);

std::vector<MetadataRow> describe_exr(ByteSpan content, int part);

std::unique_ptr<const TileSource> exr_regions(const EncodedFile& file);

}  // namespace texelscope
