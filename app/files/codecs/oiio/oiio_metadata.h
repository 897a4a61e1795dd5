#pragma once
// Metadata that OpenImageIO finds in a file.

#include <vector>

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// Implements OiioModule::describe (app/files/codecs/oiio_module.h).
std::vector<MetadataRow> oiio_rows(const Codec& codec, const EncodedFile& file, ByteSpan content, int part,
                                   bool own_exif);

}  // namespace texelscope
