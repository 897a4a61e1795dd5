#pragma once
// HEIF and AVIF through libheif; app/files/codecs/heif_module.h describes these functions.

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// Registers the decoders, which may open files.
void prepare_heif();

void decode_heif(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);
int bits_of_heif(ByteSpan file, int part);

}  // namespace texelscope
