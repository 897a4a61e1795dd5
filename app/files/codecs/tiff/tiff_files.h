#pragma once
// TIFF through libtiff; app/files/codecs/modules.h describes these functions.

#include <memory>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

void decode_tiff(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
std::unique_ptr<const TileSource> tiff_regions(const EncodedFile& file);
std::vector<MetadataRow> tiff_rows(ByteSpan content, int part);

}  // namespace texelscope
