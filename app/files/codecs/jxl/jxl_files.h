#pragma once
// JPEG XL through libjxl; app/files/codecs/jxl_module.h describes these functions.

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

void decode_jxl(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);

}  // namespace texelscope
