#pragma once
// Whether deflated strips and tiles are whole: libtiff takes a stream that goes on beyond what it wants for a good one, with
// whatever that holds, and does not look at the checksum then.

#include "app/files/bytes/raster.h"

namespace texelscope {

// Whether the checksum at the end of a stream is that of these bytes, which it was made from.
bool ends_in_checksum_of(ByteSpan packed, ByteSpan unpacked);

// Whether a packed strip or tile inflates without an error. If it merely lacks its end it must hold the bytes that are
// needed, and none that cannot be; what is far beyond what is used is not looked at. Throws OutOfMemory.
bool inflates(ByteSpan packed, uint64_t needed, uint64_t used);

}  // namespace texelscope
