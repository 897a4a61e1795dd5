#pragma once
// WebP through libwebp, on all builds that have it: OpenImageIO 2.4 multiplies by alpha in 8 bits and under a gamma, which
// cannot be undone. Exists only in builds with TEXELSCOPE_WITH_WEBP.

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// RGB or straight RGBA, u8; of an animation, the canvas after the chosen frame. Throws Error.
void decode_webp(const Format& format, const PictureChoice& choice, ByteSpan file, DecodingTarget& target);

}  // namespace texelscope
