#pragma once
// Where a TIFF or BigTIFF keeps smaller images of a page, and the packed tiles of a page: nothing is read of the images themselves.
// Adobe's TIFF Technical Note 1 (SubIFDs); BigTIFF, https://www.awaresystems.be/imaging/tiff/bigtiff.html

#include <cstdint>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/colour/colour_tags.h"

namespace texelscope {

// For each image that is listed as a SubIFD of this page (from 0), in their order: the file's header as it would be if that were the
// first page. Empty if there are none, and for what is no TIFF.
std::vector<Bytes> headers_of_sub_images(const ReadAt& read, int page);

// The packed tiles or strips of a page, in the file's order: row by row, one plane after another. Empty if they are not deflated, or if the
// page makes no sense.
struct DeflatedPieces {
    std::vector<uint64_t> offsets, sizes;  // as many of each
};
DeflatedPieces deflated_pieces(const ReadAt& read, int page);

}  // namespace texelscope
