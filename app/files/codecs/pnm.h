#pragma once
// Netpbm's formats and PFM.

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"

namespace texelscope {

// Netpbm: P1…P6 plain and binary, P7 (PAM). http://netpbm.sourceforge.net/doc/

bool is_pnm(ByteSpan head);

// u8 for a maxval that divides 255, else u16, scaled to the full range. Throws Error.
Image parse_pnm(ByteSpan bytes);

// Where the samples of a binary file are, by its beginning. Throws Error, NotInParts for the plain kinds and for bitmaps.
RawSamples raw_pnm(ByteSpan head);

// The picture is u8 or u16. P5 for 1 channel, P6 for 3.
void encode_pnm(const RowSource& image, const ByteSink& sink);
// P7, for any number of channels.
void encode_pam(const RowSource& image, const ByteSink& sink);

// Portable float map: Pf (1 channel), PF (3) and PF4 (4), rows bottom-up.  http://netpbm.sourceforge.net/doc/pfm.html

bool is_pfm(ByteSpan head);

// f32. The sign of the scale gives the byte order; its magnitude is only a unit and is not applied. Throws Error.
Image parse_pfm(ByteSpan bytes);

// Where its samples are, by the beginning of the file. Throws Error.
RawSamples raw_pfm(ByteSpan head);

// Little endian. The picture is f32 with 1, 3 or 4 channels; its first row is the last of the file.
void encode_pfm(const RowSource& image, OutputFile& file);

}  // namespace texelscope
