#pragma once
// OpenSlide, the reader of whole-slide images: a module (app/files/openslide), as it brings GLib, Cairo and forty other
// libraries that only slides need.

#include <memory>

#include "app/files/decoding/decoder.h"

namespace texelscope {

// What the module can do.
struct OpenSlideModule {
    // Whether the file is a slide that the library reads better than a reader of TIFF does: not a generic tiled TIFF, of which
    // it gives eight bits of RGB only. Opens the file by its name in /proc. Throws nothing.
    bool (*knows)(const EncodedFile& file);
    // The slide with its levels, as RGB of eight bits over the background that it names, or white. Throws Error.
    std::unique_ptr<const TileSource> (*open_regions)(const EncodedFile& file);
    // The same as a whole. Throws Error or OutOfMemory.
    void (*decode)(const EncodedFile& file, DecodingTarget& target);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without OpenSlide.
const OpenSlideModule& openslide_module();

}  // namespace texelscope
