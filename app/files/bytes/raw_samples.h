#pragma once
// Pictures whose samples lie in their file uncompressed, row after row: where they are, and what becomes of them.

#include <functional>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

struct RawSamples {
    uint64_t width = 0, height = 0, channels = 0;  // as the header claims: to be checked
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    uint64_t at = 0;           // of the first stored row, bytes from the beginning of the file
    uint64_t pixel_bytes = 0;  // stored
    bool bottom_up = false;
    // Makes so many stored pixels of a row to those of the picture. From many threads. Throws Error.
    std::function<void(const std::byte* from, size_t pixels, std::byte* to)> convert = {};
    uint64_t stored_channels = 0;  // channels in the file, if some are left out; else 0
    bool has_layouts = false;      // the array could also be read with its channels first
    int dimensions = 3;            // see Image

    uint64_t row_bytes() const { return width * pixel_bytes; }
};

// The part of the picture that lies beyond the end of a file of `file_bytes`; empty: none. Throws Error if nearly all
// is missing, or if an Image may not have its dimensions.
SampleRegion missing_of(const RawSamples& samples, uint64_t file_bytes);

// The picture, with 0 where the file ends early. Throws Error like missing_of.
Image image_of(const RawSamples& samples, ByteSpan file);

}  // namespace texelscope
