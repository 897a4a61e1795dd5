#pragma once
// Checks that deflated strips and tiles are whole: libtiff accepts a stream that continues beyond what it needs,
// whatever the stream holds, and then ignores the checksum.

#include "app/files/bytes/raster.h"

namespace texelscope {

// Whether the checksum at the end of a stream matches the bytes that the stream unpacks to.
bool ends_in_checksum_of(ByteSpan packed, ByteSpan unpacked);

// Whether a packed strip or tile inflates without an error. A stream that merely lacks its end must give at least
// `needed` and at most `used` bytes; output far beyond `used` is not checked. Throws OutOfMemory.
bool inflates(ByteSpan packed, uint64_t needed, uint64_t used);

}  // namespace texelscope
