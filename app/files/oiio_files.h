#pragma once
// Most formats, through OpenImageIO. Exists only in builds with TEXELSCOPE_WITH_OIIO.

#include "app/files/decoding/decoder.h"
#include "app/files/file_io.h"
#include "app/files/formats.h"
#include "app/files/row_source.h"

namespace texelscope {

// u8, u16, f16 and f32 as stored, anything else as f32; the chosen part and channels, turned upright if that is chosen.
// Throws Error.
void decode_with_oiio(const Format& format, const EncodedFile& file, ByteSpan content, DecodingTarget& target);

// Whether its reader takes the file from memory. The others open /proc/self/fd/N.
bool oiio_reads_memory(const Format& format);

// Makes its list of readers, which looks for plugins on the disk.
void prepare_oiio();

// Asks for the rows from the first to the last, each once. Throws Error.
Bytes encode_with_oiio(const Format& format, const RowSource& image);

}  // namespace texelscope
