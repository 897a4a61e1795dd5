#include "app/files/codecs/tiff/tiff_inflate.h"

#include <algorithm>
#include <climits>
#include <vector>

#include <zlib.h>

namespace texelscope {

bool ends_in_checksum_of(ByteSpan packed, ByteSpan unpacked) {
    if (packed.size() < 6) return false;
    const uLong sum = adler32_z(1, reinterpret_cast<const Bytef*>(unpacked.data()), unpacked.size());
    return be32(packed, packed.size() - 4) == sum;
}

bool inflates(ByteSpan packed, uint64_t needed, uint64_t used) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) throw OutOfMemory("not enough memory to read it");
    std::vector<Bytef> scratch(size_t(1) << 16);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = uInt(std::min<size_t>(packed.size(), UINT_MAX));
    int result = Z_OK;
    while (result == Z_OK && stream.total_out <= used + (1 << 20)) {
        stream.next_out = scratch.data();
        stream.avail_out = uInt(scratch.size());
        result = inflate(&stream, Z_NO_FLUSH);
    }
    const uint64_t made = stream.total_out;
    inflateEnd(&stream);
    return result == Z_STREAM_END || result == Z_OK || (result == Z_BUF_ERROR && made >= needed && made <= used);
}

}  // namespace texelscope
