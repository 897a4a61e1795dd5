#pragma once
// PNG through libpng, in every build. Frames of an animation after its first picture: apng.h.

#include "app/files/bytes/raster.h"
#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// u8 or u16: palettes as colours, 1 to 4 bits of grey as eight, transparency as straight alpha; gamma and profiles change
// no sample. The bytes have passed check_png. Throws Error or OutOfMemory.
void decode_png(const PictureChoice& choice, ByteSpan bytes, DecodingTarget& target);

// The first picture of a file that has been made here, and so needs no process of its own.
Image parse_png(ByteSpan bytes);

// u8 or u16, 1 to 4 channels: grey, grey and alpha, RGB, RGB and alpha. Asks for the rows from the first to the last, each
// once. Throws Error or OutOfMemory, and what the sink throws.
void encode_png(const RowSource& image, const ByteSink& sink);

}  // namespace texelscope
