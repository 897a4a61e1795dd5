#include "app/files/codecs/damage.h"

#include <algorithm>
#include <cstring>

#include <zlib.h>

#include "app/files/bytes/walker.h"

namespace texelscope {
namespace {

uint32_t crc32(ByteSpan bytes) {
    return uint32_t(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

constexpr bool is_frame(uint32_t marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

void check_png(ByteSpan bytes) {
    Walker walk(bytes, "PNG");
    walk.take(8);
    uint64_t needed = 0, compressed = 0, width = 0, height = 0;
    for (bool first = true;; first = false) {
        const size_t begin = walk.at();
        const uint32_t length = be32(walk.take(4), 0);
        const std::string_view type = text_of(walk.take(4));
        if (!std::all_of(type.begin(), type.end(), is_letter))
            throw Error(fmt::format("the PNG is damaged: no chunk at byte {}", begin));
        const ByteSpan data = walk.take(length);
        const uint32_t crc = be32(walk.take(4), 0);
        if (first != (type == "IHDR") || (first && length != 13))
            throw Error("the PNG is damaged: it does not begin with a header");
        const bool critical = (type[0] & 0x20) == 0 || type == "tRNS";
        if (critical && crc != crc32(bytes.subspan(begin + 4, length + 4u)))
            throw Error(fmt::format("the PNG is damaged: the checksum of the chunk at byte {} is wrong", begin));
        if (first) {
            width = be32(data, 0);
            height = be32(data, 4);
            const uint32_t depth = byte_at(data, 8), colour = byte_at(data, 9);
            const uint32_t channels = colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
            check_dimensions(width, height, 4, depth == 16 ? SampleType::u16 : SampleType::u8);
            needed = height * (width * channels * depth / 8);
        }
        if (type == "IDAT") compressed += length;
        if (type == "IEND") break;
    }
    check_claim(needed / 1032 <= compressed, width, height, bytes.size());  // deflate expands 1032 : 1 at most
}

// Up to the end marker. Entropy-coded bytes are skipped like any others: in them, 0xff is followed by zero.
void check_jpeg(ByteSpan bytes) {
    Walker walk(bytes, "JPEG");
    walk.take(2);
    for (;;) {
        const ByteSpan rest = bytes.subspan(walk.at());
        const void* const found = rest.empty() ? nullptr : std::memchr(rest.data(), 0xff, rest.size());
        walk.take(found ? size_t(static_cast<const std::byte*>(found) - rest.data()) + 1 : rest.size() + 1);
        uint32_t marker = 0xff;
        while (marker == 0xff) marker = walk.byte();
        if (marker == 0xd9) return;
        if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;  // stuffed zero, restart, start
        const uint32_t length = be16(walk.take(2), 0);
        if (length < 2) throw Error("the JPEG is damaged: a segment has an impossible length");
        const ByteSpan segment = walk.take(length - 2);
        if (!is_frame(marker)) continue;
        if (segment.size() < 6) throw Error("the JPEG is damaged: its frame header is too short");
        const uint64_t height = be16(segment, 1), width = be16(segment, 3);
        check_dimensions(width, height, 4, SampleType::u8);
        // A block of 8×8 takes at least one bit; twice that leaves a margin.
        check_claim(width * height / 1024 <= bytes.size(), width, height, bytes.size());
    }
}

}  // namespace texelscope
