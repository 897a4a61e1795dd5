#pragma once
// libjxl, the reader of JPEG XL: a module (app/files/jxl), as what it brings computes for some milliseconds when it is loaded,
// which would be part of every start.

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// What the module can do.
struct JxlModule {
    // One or three channels and alpha, as u8, u16 or f32; of an animation, the canvas after the chosen frame. Lossy pictures
    // have no colour space of their own and become sRGB, those of floats linear light; lossless ones are read as stored.
    // Throws Error or OutOfMemory.
    void (*decode)(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without libjxl.
const JxlModule& jxl_module();

}  // namespace texelscope
