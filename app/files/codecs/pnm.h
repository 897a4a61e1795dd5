#pragma once
// Netpbm: P1…P6 plain and binary, P7 (PAM). http://netpbm.sourceforge.net/doc/

#include "app/files/bytes/raster.h"
#include "app/files/bytes/rows.h"

namespace texelscope {

bool is_pnm(ByteSpan head);

// u8 for a maxval up to 255, else u16, scaled to the full range. Throws Error.
Image parse_pnm(ByteSpan bytes);

// Where the samples of a binary file are, by its beginning. Throws Error, NotInParts for the plain kinds and for bitmaps.
RawSamples raw_pnm(ByteSpan head);

// The picture is u8 or u16. P5 for 1 channel, P6 for 3.
void encode_pnm(const RowSource& image, const ByteSink& sink);
// P7, for any number of channels.
void encode_pam(const RowSource& image, const ByteSink& sink);

}  // namespace texelscope
