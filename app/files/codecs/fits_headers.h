#pragma once
// The images that a FITS file holds, as its headers describe them. FITS Standard 4.0, sections 3, 4.4 and 7.1.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/codecs/fits_packed.h"

namespace texelscope {

// An array of pictures of one shape, one after the other, each from its lowest row.
struct FitsImage {
    std::string name;  // EXTNAME
    int bits = 0;      // BITPIX: 8, 16, 32, 64; −32 and −64 for floats
    uint64_t width = 0, height = 0;
    uint64_t pictures = 1;  // the product of all axes beyond the second
    double scale = 1, zero = 0;
    std::optional<int64_t> blank = {};            // the integer that stands for no value
    uint64_t at = 0;                              // offset of its first sample in the file
    std::shared_ptr<const FitsTiles> tiles = {};  // a packed image's tiles, used instead of `at`

    uint64_t sample_bytes() const { return uint64_t(bits < 0 ? -bits : bits) / 8; }
    uint64_t row_bytes() const { return width * sample_bytes(); }
    uint64_t picture_bytes() const { return height * row_bytes(); }
};

// The images in the order of the file, at least one. Throws Error if there are none, or if a header before the first
// one makes no sense.
std::vector<FitsImage> fits_images(ByteSpan file);

}  // namespace texelscope
