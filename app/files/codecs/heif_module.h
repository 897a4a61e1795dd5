#pragma once
// libheif, the reader of HEIF and AVIF: a module (app/files/codecs/heif), as it brings the decoders of several videos.

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// What the module can do.
struct HeifModule {
    // The main picture, then the others of the file as parts, cropped and turned as the file says. Grey or RGB, u8 up to 8
    // bits, else u16, in which the largest number of the file's depth is 65535; alpha straight or premultiplied as the file
    // says. Throws Error or OutOfMemory.
    void (*decode)(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);
    // Bits of a sample of this part. Throws Error.
    int (*bits)(ByteSpan file, int part);
};

// Loads it at the first call, which opens files. From any thread. Throws Error if it cannot be loaded, then and at every
// other call, and in builds without libheif.
const HeifModule& heif_module();

}  // namespace texelscope
