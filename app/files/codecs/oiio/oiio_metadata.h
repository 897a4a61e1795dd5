#pragma once
// What OpenImageIO says of a file.

#include <vector>

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// As app/files/codecs/oiio_module.h says.
std::vector<MetadataRow> oiio_rows(const Codec& codec, const EncodedFile& file, ByteSpan content, int part,
                                   bool own_exif);

}  // namespace texelscope
