#pragma once
// Portable float map: Pf (1 channel), PF (3) and PF4 (4), rows bottom-up.  http://netpbm.sourceforge.net/doc/pfm.html

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"

namespace texelscope {

bool is_pfm(ByteSpan head);

// f32. The sign of the scale gives the byte order; its magnitude is only a unit and is not applied. Throws Error.
Image parse_pfm(ByteSpan bytes);

// Where its samples are, by the beginning of the file. Throws Error.
RawSamples raw_pfm(ByteSpan head);

// Little endian. The picture is f32 with 1, 3 or 4 channels; its first row is the last of the file.
void encode_pfm(const RowSource& image, OutputFile& file);

}  // namespace texelscope
