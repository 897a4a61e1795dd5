#pragma once
// Puts the rows of a file where they belong in the picture: turned upright, and only the channels that were chosen.

#include <cstddef>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/sample_region.h"

namespace texelscope {

// Orientations of EXIF, 1 to 8. Whether rows of the file are columns of the upright picture.
constexpr bool swaps_sides(int orientation) { return orientation >= 5; }

// The region of the upright picture that a part of the stored one, of `width` by `height` pixels, becomes.
SampleRegion turned(const SampleRegion& part, int width, int height, int orientation);

// Rows as a decoder delivers them.
struct FileRows {
    std::byte* samples = nullptr;  // interleaved, no gaps; overwritten if channels are left out
    int width = 0;                 // pixels
    int first = 0, count = 0;      // rows: from the first of the file's
    int stored_channels = 0;
    const std::vector<int>& channels;  // the chosen ones, in their order, as many as the image has
};

// `image` is upright, of the type of the samples.
void place_rows(const FileRows& rows, int orientation, Image& image);

}  // namespace texelscope
