#pragma once
// Files of other formats whose regions are decoded when they are read: TIFF and OpenEXR, tiled or in strips, slides, JPEG 2000, with
// the smaller images that they hold.

#include <memory>

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/picture_choice.h"
#include "app/files/tiles/opened_file.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// Whether files of this format may be read in pieces at all: it costs nothing to ask.
bool has_pieces(const Codec& codec);

// The samples are those of read_image. Decoded by processes of their own, if this program has them (decoding/decoding.h).
// Throws Error, without the file's name; NotInParts.
std::unique_ptr<const TileSource> decoded_tiles(std::shared_ptr<const OpenedFile> file, const Codec& codec,
                                                const PictureChoice& choice);

}  // namespace texelscope
