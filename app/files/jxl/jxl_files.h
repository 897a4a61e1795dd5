#pragma once
// JPEG XL through libjxl. All of this is as app/files/jxl_module.h says.

#include "app/files/decoding/decoder.h"
#include "app/files/raster.h"

namespace texelscope {

void decode_jxl(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);

}  // namespace texelscope
