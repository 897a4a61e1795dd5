#pragma once
// JPEG through libjpeg-turbo, in every build: fast, and for pictures of up to 65 500×65 500 pixels.

#include "app/files/bytes/byte_sink.h"
#include "app/files/bytes/row_source.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// One channel, or three; four inks become sRGB (see Inks). The bytes have passed check_jpeg. Decodes straight into the
// target, or in bands if it is turned; smaller if that is enough (see Reading): a progressive file also takes two bytes a sample meanwhile. Throws Error or
// OutOfMemory.
void decode_jpeg(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target);

// u8, one channel or three, of quality 95, colour at the full size. Asks for the rows from the first to the last, each
// once. Throws Error or OutOfMemory, and what the sink throws. In jpeg_writer.cpp.
void encode_jpeg(const RowSource& image, const ByteSink& sink);

}  // namespace texelscope
