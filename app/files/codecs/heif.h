#pragma once
// What an HEIF or AVIF file says of its main picture besides its samples: how its decoder turns it, and EXIF data.
// ISO/IEC 14496-12:2022 (boxes, items), ISO/IEC 23008-12:2022 (irot, imir).

#include "app/files/bytes/raster.h"

namespace texelscope {

// As EXIF numbers it, 1 to 8, how the picture lies before its properties turn it. Throws nothing.
int orientation_in_heif(ByteSpan file);

// The EXIF data, from their byte order on; empty if there are none. Throws nothing.
ByteSpan exif_of_heif(ByteSpan file);

// Whether an item, by its number, says that it has one channel besides alpha. Throws nothing.
bool is_grey_in_heif(ByteSpan file, uint32_t item);

// The XMP data, as XML; empty if there are none. Throws nothing. Whether there are any, its first boxes say.
ByteSpan xmp_of_heif(ByteSpan file);
bool has_xmp_in_heif(ByteSpan head);

}  // namespace texelscope
