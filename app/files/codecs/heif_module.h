#pragma once
// libheif, the reader of HEIF and AVIF: a module (app/files/codecs/heif), because it brings several video decoders.

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// The functions of the module.
struct HeifModule {
    // Decodes the main picture, or one of the others, which are further parts, cropped and turned as the file says.
    // Grey or RGB, u8 up to 8 bits, else u16, in which the largest number of the file's depth is 65535; alpha straight
    // or premultiplied as the file says. Throws Error or OutOfMemory.
    void (*decode)(const PictureChoice& choice, ByteSpan file, DecodingTarget& target);
    // Bits of a sample of this part. Throws Error.
    int (*bits)(ByteSpan file, int part);
};

// Loads the module at the first call, which opens files. Callable from any thread. Throws Error if it cannot be loaded,
// then and at every other call, and in builds without libheif.
const HeifModule& heif_module();

}  // namespace texelscope
