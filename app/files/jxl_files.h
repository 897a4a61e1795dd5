#pragma once
// JPEG XL through libjxl, on all builds that have it. Exists only in builds with TEXELSCOPE_WITH_JXL.

#include "app/files/decoding/decoder.h"
#include "app/files/formats.h"

namespace texelscope {

// One or three channels and alpha, as u8, u16 or f32; of an animation, the canvas after the chosen frame. Lossy pictures
// have no colour space of their own and become sRGB, those of floats linear light; lossless ones are read as stored. Throws
// Error.
void decode_jxl(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);

}  // namespace texelscope
