#pragma once
// OpenJPEG, which reads JPEG 2000: a module (app/files/codecs/openjpeg). What it does not read in parts, OpenImageIO
// reads as a whole.

#include <memory>

#include "app/files/decoding/decoder.h"

namespace texelscope {

// What the module can do.
struct OpenJpegModule {
    // One to four channels, with the smaller images that its wavelets hold: as numbers if all are signed, else of up to
    // 16 bits as u8 or u16. Read for as long as the file's descriptor is open. Throws Error; NotInParts for palettes,
    // YCC, channels of several sizes, and what is one huge tile.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
    // The same as a whole. Throws Error, NotInParts or OutOfMemory.
    void (*decode)(const EncodedFile& file, DecodingTarget& target);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenJPEG.
const OpenJpegModule& openjpeg_module();

}  // namespace texelscope
