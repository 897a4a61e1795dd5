#pragma once
// Exists only in builds with TEXELSCOPE_WITH_OIIO.

#include <vector>

#include "app/files/decoding/decoder.h"
#include "app/files/formats.h"

namespace texelscope {

// What OpenImageIO finds in the header of one part: IPTC, XMP, the attributes of OpenEXR, … `own_exif`: without what
// exif_rows says. Throws nothing that is not std::exception.
std::vector<MetadataRow> oiio_rows(const Format& format, const EncodedFile& file, ByteSpan content, int part,
                                   bool own_exif);

}  // namespace texelscope
