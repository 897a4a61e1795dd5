#pragma once
// OpenEXR: a module (app/files/codecs/openexr), as it brings libraries that most starts need not load.

#include <memory>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// The functions of the module.
struct OpenExrModule {
    // Delivers samples of the data window, with the display window as the picture's frame: f16, f32 and u32 as stored,
    // half with float as f32, integers with floats as f64, so that nothing is lost. Luminance and chroma become R, G
    // and B, f16. Alpha is premultiplied; integers have none. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, ByteSpan content, DecodingTarget& target);
    // Metadata of a part's header: windows, compression, tiles and attributes not shown elsewhere. Throws Error.
    std::vector<MetadataRow> (*describe)(ByteSpan content, int part);
    // Tiles with their MIP levels, or blocks of rows. Read for as long as the file's descriptor is open. Throws Error,
    // NotInParts.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenEXR.
const OpenExrModule& openexr_module();

}  // namespace texelscope
