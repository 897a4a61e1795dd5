#pragma once
// What an HEIF or AVIF file says of its main picture besides its samples: how its decoder turns it, and EXIF data.
// ISO/IEC 14496-12:2022 (boxes, items), ISO/IEC 23008-12:2022 (irot, imir).

#include <cstdint>
#include <optional>

#include "app/files/bytes/raster.h"

namespace texelscope {

// As EXIF numbers it, 1 to 8, how the picture lies before its properties turn it. Throws nothing.
int orientation_in_heif(ByteSpan file);

// The EXIF data, from their byte order on; empty if there are none. Throws nothing.
ByteSpan exif_of_heif(ByteSpan file);

// How the colours of an item that is coded by itself, no grid of others, are stated (colr, nclx), and where in the file that is.
struct HeifCoding {
    uint16_t primaries = 2, matrix = 2;  // by their numbers in H.273; 2: unspecified
    bool full_range = true;
    size_t matrix_at = 0;  // two bytes, and the next one's first bit is the range
};
// Unset if it does not say so, once. Throws nothing.
std::optional<HeifCoding> coding_in_heif(ByteSpan file, uint32_t item);

// Whether an item, by its number, says that it has one channel besides alpha. Throws nothing.
bool is_grey_in_heif(ByteSpan file, uint32_t item);

// The XMP data, as XML; empty if there are none. Throws nothing. Whether there are any, its first boxes say.
ByteSpan xmp_of_heif(ByteSpan file);
bool has_xmp_in_heif(ByteSpan head);

}  // namespace texelscope
