#pragma once
// Texts that people and programs put into PNG (tEXt, zTXt, iTXt, tIME, pHYs; W3C's PNG, third edition) and JPEG (COM, the
// resolution of JFIF).

#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// Both of a whole file; they end where it makes no sense, and throw nothing.
std::vector<MetadataRow> png_texts(ByteSpan file);
std::vector<MetadataRow> jpeg_texts(ByteSpan file);

}  // namespace texelscope
