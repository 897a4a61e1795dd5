#pragma once
// JPEG 2000 through OpenJPEG; app/files/codecs/openjpeg_module.h describes these functions.

#include <memory>

#include "app/files/decoding/decoder.h"

namespace texelscope {

std::unique_ptr<const TileSource> jp2_regions(const EncodedFile& file);

void decode_jp2(const EncodedFile& file, DecodingTarget& target);

}  // namespace texelscope
