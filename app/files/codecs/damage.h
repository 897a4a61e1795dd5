#pragma once
// Walks the structure of a file before it is decoded. The libraries fill missing parts with zeros or grey, some after
// allocating whatever a hostile header asks for, one in an endless loop; here each case is a clear error message.

#include "app/files/bytes/raster.h"

namespace texelscope {

// These throw Error.
void check_png(ByteSpan bytes);
void check_jpeg(ByteSpan bytes);

// Defined in damage_tiff.cpp: inflates what is deflated, since OpenImageIO ignores that it cannot. `page`: from 0;
// the first one unless told otherwise.
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
