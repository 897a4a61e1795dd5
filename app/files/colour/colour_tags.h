#pragma once
// What an image file says about its colours: the ICC profile of JPEG, PNG, TIFF, WebP, HEIF, BMP and PSD, sRGB of PNG
// and BMP, gAMA and cHRM of PNG, and the primaries of OpenEXR and Radiance HDR, which are linear light. Read from the
// file's own structure, the same in every build; the picture is not decoded, and a profile's bytes are not inspected.

#include <cstdint>
#include <memory>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "gpu/core/image.h"

namespace texelscope {

// Null if the file says nothing, or if its structure is damaged before it does; the formats of linear light always say so. An ICC profile that is incomplete is
// returned as it is. Never reads more than the headers and 32 MiB of a profile; throws only what `read` throws.
std::shared_ptr<const ColourProfile> colour_tags(const ReadAt& read);
std::shared_ptr<const ColourProfile> colour_tags(ByteSpan file);

// The colour tags of an open file, whatever its position. What cannot be read counts as absent.
std::shared_ptr<const ColourProfile> colour_tags(int descriptor);

}  // namespace texelscope
