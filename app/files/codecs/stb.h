#pragma once
// Formats that stb_image_write writes in builds without OpenImageIO: BMP, TGA and Radiance HDR.

#include "app/files/codecs/codec.h"

namespace texelscope {

// The rows already fit the format: u8, or f32 for HDR; why_no_room() has its limits. Throws Error.
void encode_with_stb(const Codec& codec, const RowSource& image, OutputFile& file);

}  // namespace texelscope
