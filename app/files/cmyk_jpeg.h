#pragma once
// JPEG with four inks, turned into sRGB by the ICC profile in the file.

#include "app/files/decoding/decoder.h"
#include "app/files/raster.h"

namespace texelscope {

// False, with the target untouched, if the file is no CMYK or YCCK JPEG with a CMYK profile that can be used. u8 × 3, by
// the intent that the profile names. Throws Error.
bool decode_cmyk_jpeg(ByteSpan bytes, DecodingTarget& target);

}  // namespace texelscope
