#pragma once
// Walks the structure of a file before it is decoded. The libraries fill missing parts with zeros or grey, some after
// allocating whatever a hostile header asks for, one in an endless loop; here each case is a clear error message.

#include "app/files/codecs/codecs.h"

namespace texelscope {

// PNG, JPEG, TIFF, GIF, BMP, TGA, HDR and PSD; every other format is left to its library. Throws Error.
void check_whole(const Format& format, ByteSpan bytes);

// Defined in damage_tiff.cpp: inflates what is deflated, since OpenImageIO ignores that it cannot. `page`: from 0;
// check_whole looks at the first.
void check_tiff(ByteSpan bytes, int page = 0);

// Defined in damage_rows.cpp.
void check_bmp(ByteSpan bytes);
void check_tga(ByteSpan bytes);
void check_hdr(ByteSpan bytes);
void check_psd(ByteSpan bytes);

// Whether a packed strip or tile inflates without an error. If it merely lacks its end it must hold the bytes that are needed, and
// none that cannot be; what
// is far beyond what is used is not looked at. Throws OutOfMemory.
bool inflates(ByteSpan packed, uint64_t needed, uint64_t used);

}  // namespace texelscope
