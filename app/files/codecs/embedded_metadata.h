#pragma once
// What pictures of other formats carry within: EXIF data, and texts of PNG and JPEG.

#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// Finds a picture's EXIF data and the orientation that a camera noted in them. Everything else: metadata/exif.h.
// CIPA DC-008-2019 (Exif 2.32), section 4.6.4; Adobe's TIFF 6.0, section 2.

struct Codec;

// The orientation, tag 0x0112 of the first directory, 1 to 8; 1 if it is missing or makes no sense.
int orientation_in_exif(ByteSpan exif);

// The EXIF data in a whole JPEG (APP1), PNG (eXIf) or WebP (EXIF); empty if there are none. Throw nothing.
ByteSpan exif_of_jpeg(ByteSpan file);
ByteSpan exif_of_png(ByteSpan file);
ByteSpan exif_of_webp(ByteSpan file);

// The orientation in the EXIF data of a whole file; 1 for formats that have none, or are turned by their library. Throws
// nothing, whatever the bytes are.
int stored_orientation(const Codec& codec, ByteSpan file);

// Texts that people and programs put into PNG (tEXt, zTXt, iTXt, tIME, pHYs; W3C's PNG, third edition) and JPEG (COM, the
// resolution of JFIF).

// Both of a whole file; they end where it makes no sense, and throw nothing.
std::vector<MetadataRow> png_texts(ByteSpan file);
std::vector<MetadataRow> jpeg_texts(ByteSpan file);

}  // namespace texelscope
