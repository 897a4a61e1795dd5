#pragma once
// Frames that are drawn over each other: GIF and animated PNG.

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// False if any reader of the format can read the chosen part: the first one of a PNG, and all other formats. The file has
// passed check_whole. Throws Error.
bool decode_frame(const Format& format, const PictureChoice& choice, ByteSpan file, DecodingTarget& target);

}  // namespace texelscope
