#pragma once
// EXIF data in words: CIPA DC-008-2019 (Exif 2.32), sections 4.6.4 to 4.6.6; Adobe's TIFF 6.0.

#include <string_view>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

// The rows of EXIF data, or of the directory number `part` (from 0) of a whole classic TIFF, with what its EXIF and GPS
// directories hold. `group`: of what the first directory says. Throws nothing, whatever the bytes are.
std::vector<MetadataRow> exif_rows(ByteSpan tiff, std::string_view group = "EXIF", int part = 0);

}  // namespace texelscope
