#pragma once
// What OpenImageIO says of a file.

#include <vector>

#include "app/files/decoding/decoder.h"
#include "app/files/formats.h"

namespace texelscope {

// As app/files/oiio_module.h says.
std::vector<MetadataRow> oiio_rows(const Format& format, const EncodedFile& file, ByteSpan content, int part,
                                   bool own_exif);

}  // namespace texelscope
