#pragma once
// Most formats, through OpenImageIO; app/files/codecs/oiio_module.h describes these functions.

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

void decode_with_oiio(const Codec& codec, const EncodedFile& file, ByteSpan content, DecodingTarget& target);

bool oiio_reads_memory(const Codec& codec);

// Makes OpenImageIO's list of readers, which looks for plugins on the disk.
void prepare_oiio();

// Makes DCMTK read its dictionary, which it does before it opens its first file.
void prepare_dicom();

// Defined in oiio_writer.cpp.
void encode_with_oiio(const Codec& codec, const RowSource& image, OutputFile& file);

}  // namespace texelscope
