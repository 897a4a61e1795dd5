#pragma once
// How far a file is a JPEG: up to its end marker, or as far as its segments continue.

#include <cstddef>

#include "app/files/bytes/raster.h"

namespace texelscope {

struct JpegExtent {
    size_t bytes = 0;                // counted from the start of the file; later bytes are not the picture's
    bool ends_early = false;         // the file ends before an end marker
    uint32_t width = 0, height = 0;  // as its frame header claims
};

// Throws Error for a file that ends before its first scan, or is damaged there.
JpegExtent extent_of_jpeg(ByteSpan file);

}  // namespace texelscope
