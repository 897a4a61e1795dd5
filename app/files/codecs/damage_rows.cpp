// Formats whose pixels are rows of bytes or of runs.
#include <cstdlib>

#include "app/files/bytes/walker.h"
#include "app/files/codecs/damage.h"

namespace texelscope {

void check_bmp(ByteSpan bytes) {
    Walker walk(bytes, "BMP");
    const ByteSpan file_header = walk.take(14);
    const uint32_t header_size = le32(walk.take(4), 0);
    if (header_size != 12 && header_size < 40) throw Error("the BMP is damaged: its header has an unknown size");
    const ByteSpan info = walk.take(header_size == 12 ? 8 : 36);
    const bool old = header_size == 12;
    const uint64_t width = old ? le16(info, 0) : le32(info, 0);
    const uint64_t height = old ? le16(info, 2) : uint64_t(std::abs(int64_t(int32_t(le32(info, 4)))));
    const uint64_t bits = le16(info, old ? 6 : 10), compression = old ? 0 : le32(info, 12);
    check_dimensions(width, height, 4, SampleType::u8);
    if (bits > 32) throw Error(fmt::format("the BMP is damaged: {} bits per pixel", bits));
    const uint64_t offset = le32(file_header, 10);
    if (compression == 0 || compression == 3) {
        Walker(bytes, "BMP").take(offset + height * ((width * bits + 31) / 32 * 4));
    } else {
        check_claim(width * height / 256 <= bytes.size(), width, height, bytes.size());  // RLE: 255 pixels in two bytes
    }
}

void check_tga(ByteSpan bytes) {
    Walker walk(bytes, "TGA");
    const ByteSpan header = walk.take(18);
    const uint32_t type = byte_at(header, 2), bits = byte_at(header, 16);
    const bool known =
        (type & ~8u) >= 1 && (type & ~8u) <= 3 && (bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32);
    if (!known || byte_at(header, 1) > 1) throw Error("not a TGA file: its header makes no sense");
    const uint64_t width = le16(header, 12), height = le16(header, 14), pixel = (bits + 7) / 8;
    check_dimensions(width, height, 4, SampleType::u8);
    walk.take(byte_at(header, 0));
    if (byte_at(header, 1)) walk.take(uint64_t(le16(header, 5)) * ((byte_at(header, 7) + 7u) / 8));
    if (!(type & 8)) {
        walk.take(width * height * pixel);
        return;
    }
    for (uint64_t done = 0; done < width * height;) {
        const uint32_t packet = walk.byte(), count = (packet & 127) + 1;
        walk.take(packet & 128 ? pixel : pixel * count);
        done += count;
    }
}

void check_psd(ByteSpan bytes) {
    Walker walk(bytes, "PSD");
    const ByteSpan header = walk.take(26);
    const uint64_t channels = be16(header, 12), height = be32(header, 14), width = be32(header, 18);
    check_dimensions(width, height, 4, SampleType::u16);
    for (int section = 0; section < 3; ++section) walk.take(be32(walk.take(4), 0));
    const uint32_t compression = be16(walk.take(2), 0);
    if (compression == 0) walk.take(width * height * channels * be16(header, 22) / 8);
    if (compression != 1) return;
    const ByteSpan lengths = walk.take(height * channels * 2);
    uint64_t sum = 0;
    for (size_t i = 0; i < lengths.size(); i += 2) sum += be16(lengths, i);
    walk.take(sum);
    check_claim(width * height / 128 <= bytes.size(), width, height, bytes.size());
}

}  // namespace texelscope
