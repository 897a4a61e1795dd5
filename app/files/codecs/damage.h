#pragma once
// Walks the structure of a file before it is decoded. The libraries fill missing parts with zeros or grey, some after
// allocating whatever a hostile header asks for, one in an endless loop; here each case is a clear error message.

#include "app/files/bytes/raster.h"

namespace texelscope {

// These throw Error.
void check_png(ByteSpan bytes);
void check_jpeg(ByteSpan bytes);

}  // namespace texelscope
