#include "app/files/codecs/damage.h"

#include <zlib.h>

#include "app/files/bytes/raster.h"
#include "app/files/codecs/jpeg.h"
#include "app/files/codecs/png.h"

namespace texelscope {
namespace {

uint32_t crc32(ByteSpan bytes) {
    return uint32_t(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

// The chunks that make the pixels must be undamaged; anything may follow them.
void check_png(ByteSpan bytes) {
    PngChunks chunks(bytes);
    uint64_t needed = 0, compressed = 0, width = 0, height = 0;
    bool first = true;
    while (const auto chunk = chunks.next()) {
        const auto& [at, type, data, whole, sum] = *chunk;
        if (first != (type == "IHDR") || (first && whole && data.size() != 13))
            throw Error("the PNG is damaged: it does not begin with a header");
        const bool picture = type == "IDAT" || type == "fdAT";
        if (!whole && !picture && compressed == 0) throw_truncated(bytes.size(), "PNG");
        const bool critical = ((type[0] & 0x20) == 0 && type != "IEND") || type == "tRNS";
        if (critical && sum && *sum != crc32(bytes.subspan(at + 4, data.size() + 4)))
            throw Error(fmt::format("the PNG is damaged: the checksum of the chunk at byte {} is wrong", at));
        if (first) {
            width = be32(data, 0);
            height = be32(data, 4);
            const uint32_t depth = byte_at(data, 8), colour = byte_at(data, 9);
            const uint32_t channels = colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
            check_dimensions(width, height, 4, depth == 16 ? SampleType::u16 : SampleType::u8);
            needed = height * (width * channels * depth / 8);
        }
        if (type == "IDAT") compressed += data.size();
        first = false;
    }
    if (compressed == 0 && !chunks.has_end()) {
        if (chunks.ends_early()) throw_truncated(bytes.size(), "PNG");
        throw Error(fmt::format("the PNG is damaged: no chunk at byte {}", chunks.at()));
    }
    if (chunks.ends_early()) return check_plausible(bytes.size(), width, height, 4, SampleType::u8);
    check_claim(needed / 1032 <= compressed, width, height, bytes.size());  // deflate expands 1032 : 1 at most
}

void check_jpeg(ByteSpan bytes) {
    const auto [end, ends_early, width, height] = extent_of_jpeg(bytes);
    check_dimensions(width, height, 4, SampleType::u8);
    // A block of 8×8 takes at least one bit; twice that leaves a margin. A small picture may be there only in part.
    constexpr uint64_t small = uint64_t(1) << 26, pixels_per_byte = 1024;
    const uint64_t pixels = uint64_t(width) * height;
    check_claim(pixels <= small || pixels / pixels_per_byte <= bytes.size(), width, height, bytes.size());
}

}  // namespace texelscope
