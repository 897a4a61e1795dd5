#include "app/files/codecs/exif.h"

#include "app/files/codecs/codec.h"

using namespace std::string_view_literals;

namespace texelscope {
namespace {

constexpr auto exif_mark = "Exif\0\0"sv;

// Empty if the file has fewer bytes.
ByteSpan part(ByteSpan bytes, uint64_t at, uint64_t count) {
    return at <= bytes.size() && count <= bytes.size() - at ? bytes.subspan(size_t(at), size_t(count)) : ByteSpan{};
}

// Some programs put JPEG's mark before the data in other formats as well.
ByteSpan without_mark(ByteSpan data) {
    return text_of(data).starts_with(exif_mark) ? data.subspan(exif_mark.size()) : data;
}

}  // namespace

// The segments up to the picture's data.
ByteSpan exif_of_jpeg(ByteSpan file) {
    for (size_t at = 2;;) {
        const ByteSpan head = part(file, at, 4);
        if (head.empty() || byte_at(head, 0) != 0xff) return {};
        const uint32_t marker = byte_at(head, 1), length = be16(head, 2);
        if (marker == 0xff) {  // a filling byte
            ++at;
            continue;
        }
        if (marker == 0xda || marker == 0xd9 || length < 2) return {};
        const ByteSpan data = part(file, at + 4, length - 2);
        if (marker == 0xe1 && text_of(data).starts_with(exif_mark)) return data.subspan(exif_mark.size());
        at += 2 + size_t(length);
    }
}

ByteSpan exif_of_png(ByteSpan file) {
    for (size_t at = 8;;) {
        const ByteSpan head = part(file, at, 8);
        if (head.empty()) return {};
        const uint32_t length = be32(head, 0);
        if (text_of(head.subspan(4)) == "eXIf") return without_mark(part(file, at + 8, length));
        at += 12 + size_t(length);
    }
}

ByteSpan exif_of_webp(ByteSpan file) {
    for (size_t at = 12;;) {
        const ByteSpan head = part(file, at, 8);
        if (head.empty()) return {};
        const uint32_t length = le32(head, 4);
        if (text_of(head.first(4)) == "EXIF") return without_mark(part(file, at + 8, length));
        at += 8 + size_t(length) + (length & 1);
    }
}

int orientation_in_exif(ByteSpan exif) {
    const ByteSpan head = part(exif, 0, 8);
    if (head.empty()) return 1;
    const std::string_view order = text_of(head.first(2));
    if (order != "II" && order != "MM") return 1;
    const bool little = order == "II";
    const auto two = [little](ByteSpan b, size_t at) { return little ? le16(b, at) : be16(b, at); };
    const auto four = [little](ByteSpan b, size_t at) { return little ? le32(b, at) : be32(b, at); };
    if (two(head, 2) != 42) return 1;
    const uint64_t directory = four(head, 4);
    const ByteSpan count = part(exif, directory, 2);
    if (count.empty()) return 1;
    for (uint64_t i = 0; i < two(count, 0); ++i) {
        const ByteSpan entry = part(exif, directory + 2 + i * 12, 12);
        if (entry.empty()) return 1;
        constexpr uint32_t orientation_tag = 0x0112, short_type = 3, long_type = 4;
        if (two(entry, 0) != orientation_tag || four(entry, 4) != 1) continue;
        const uint32_t type = two(entry, 2);
        const uint32_t value = type == short_type ? two(entry, 8) : type == long_type ? four(entry, 8) : 0;
        return value >= 1 && value <= 8 ? int(value) : 1;
    }
    return 1;
}

int stored_orientation(const Codec& codec, ByteSpan file) {
    return codec.turned_by_library || !codec.exif ? 1 : orientation_in_exif(codec.exif(file));
}

}  // namespace texelscope
