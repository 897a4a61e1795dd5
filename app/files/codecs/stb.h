#pragma once
// Through stb_image and stb_image_write: the frames of GIF in every build, and without OpenImageIO what it would read:
// BMP, TGA, Radiance HDR and PSD.

#include "app/files/bytes/file_io.h"
#include "app/files/codecs/codec.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// u8, or u16 (16-bit PSD). The bytes have passed check_whole. Throws Error.
void decode_with_stb(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target);

// The same for a file that has been put together here.
Image parse_with_stb(std::string_view format, ByteSpan bytes);

// The image must already fit the format: u8, or f32 for HDR; why_no_room() has its limits. Throws Error.
void encode_with_stb(const Codec& codec, const RowSource& image, OutputFile& file);

}  // namespace texelscope
