#pragma once
// JPEG through libjpeg-turbo, in every build: fast, and for pictures of up to 65 500×65 500 pixels.

#include <cstddef>

#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// One channel, or three; four inks become sRGB (see Inks). The bytes have passed check_jpeg. Decodes straight into the
// target, or in bands if it is turned; smaller if that is enough (see Reading): a progressive file also takes two bytes a sample meanwhile. Throws Error or
// OutOfMemory.
void decode_jpeg(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target);

// u8, one channel or three, of quality 95, colour at the full size. Asks for the rows from the first to the last, each
// once. Throws Error or OutOfMemory, and what the sink throws.
void encode_jpeg(const RowSource& image, const ByteSink& sink);

// How far a file is a JPEG: up to its end marker, or as far as its segments continue.
struct JpegExtent {
    size_t bytes = 0;                // counted from the start of the file; later bytes are not the picture's
    bool ends_early = false;         // the file ends before an end marker
    uint32_t width = 0, height = 0;  // as its frame header claims
};

// Throws Error for a file that ends before its first scan, or is damaged there.
JpegExtent extent_of_jpeg(ByteSpan file);

}  // namespace texelscope
