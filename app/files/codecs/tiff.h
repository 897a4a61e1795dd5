#pragma once
// libtiff, the reader of TIFF: a module (app/files/codecs/tiff), as the codecs that it brings take some milliseconds to load,
// which would be part of every start.

#include <memory>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// The functions of the module.
struct TiffModule {
    // Delivers what the tags say, see docs/files.md. Unsigned integers of up to 16 bits become u8 if that is exact,
    // else u16; all other numbers stay what they are. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
    // The picture in tiles or strips of a reasonable size, with the smaller images of it in the file, readable while
    // the file's descriptor is open. Throws Error, NotInParts.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
    // Rows that say how the samples of a page are stored. Throws Error.
    std::vector<MetadataRow> (*describe)(ByteSpan content, int part);
};

// Loads the module at the first call, which opens files. Callable from any thread. Throws Error if it cannot be loaded,
// then and at every other call, and in builds without libtiff.
const TiffModule& tiff_module();

}  // namespace texelscope
