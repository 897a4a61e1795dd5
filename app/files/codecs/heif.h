#pragma once
// Facts of a HEIF or AVIF file besides samples: the main picture's orientation, colour coding, EXIF and XMP data.
// ISO/IEC 14496-12:2022 (boxes, items), ISO/IEC 23008-12:2022 (irot, imir).

#include <cstdint>
#include <optional>

#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// The orientation, as EXIF numbers it, 1 to 8, of the picture before its properties turn it. Throws nothing.
int orientation_in_heif(ByteSpan file);

// The EXIF data, from their byte order on; empty if there are none. Throws nothing.
ByteSpan exif_of_heif(ByteSpan file);

// How the colours of an item that is coded by itself, not as a grid, are stated (colr, nclx), and where in the file.
struct HeifCoding {
    uint16_t primaries = 2, matrix = 2;  // numbers in H.273; 2: unspecified
    bool full_range = true;
    size_t matrix_at = 0;  // two bytes, and the next one's first bit is the range
};
// The coding of an item; unset unless it is stated exactly once. Throws nothing.
std::optional<HeifCoding> coding_in_heif(ByteSpan file, uint32_t item);

// Whether an item, by its number, says that it has one channel besides alpha. Throws nothing.
bool is_grey_in_heif(ByteSpan file, uint32_t item);

// The XMP data, as XML, empty if there are none; and whether the first boxes list any. They throw nothing.
ByteSpan xmp_of_heif(ByteSpan file);
bool has_xmp_in_heif(ByteSpan head);

// libheif, the reader of HEIF and AVIF: a module (app/files/codecs/heif), because it brings several video decoders.

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
