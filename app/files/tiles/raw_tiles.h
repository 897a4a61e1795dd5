#pragma once
// Uncompressed files of our own formats, whose regions are read from where they lie: .npy in C order, binary PNM, PAM, PFM.

#include <memory>

#include "app/files/decoding/picture_choice.h"
#include "app/files/tiles/opened_file.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// The samples are those of read_image. `truncated`: a file that ends early is opened all the same, and the regions that it lacks
// cannot be read. Throws Error, without the file's name; NotInParts.
std::unique_ptr<const TileSource> raw_tiles(std::shared_ptr<const OpenedFile> file, const PictureChoice& choice,
                                            bool truncated = false);

}  // namespace texelscope
