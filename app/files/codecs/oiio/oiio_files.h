#pragma once
// Most formats, through OpenImageIO. All of this is as app/files/codecs/oiio_module.h says.

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/row_source.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

void decode_with_oiio(const Codec& codec, const EncodedFile& file, ByteSpan content, DecodingTarget& target);

bool oiio_reads_memory(const Codec& codec);

// Makes its list of readers, which looks for plugins on the disk.
void prepare_oiio();

// In oiio_writer.cpp.
void encode_with_oiio(const Codec& codec, const RowSource& image, OutputFile& file);

}  // namespace texelscope
