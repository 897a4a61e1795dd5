#pragma once
// JPEG XL through libjxl. All of this is as app/files/codecs/jxl_module.h says.

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

void decode_jxl(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);

}  // namespace texelscope
