#include "app/files/codecs/codecs.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "app/files/decoding/picture_in_file.h"

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

namespace {

using Rows = std::vector<MetadataRow>;

constexpr size_t most_texts = 200, most_text_bytes = 4096;

// The text at the beginning of a zlib stream.
std::string inflated(std::string_view deflated) {
    std::string text(most_text_bytes, '\0');
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return {};
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(deflated.data()));
    stream.avail_in = uInt(std::min<size_t>(deflated.size(), 1 << 20));
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = uInt(text.size());
    inflate(&stream, Z_SYNC_FLUSH);
    text.resize(text.size() - stream.avail_out);
    inflateEnd(&stream);
    return text;
}

// The standard demands Latin-1; many programs write UTF-8.
std::string from_latin1(std::string_view text) {
    if (is_utf8(text)) return std::string(text.substr(0, most_text_bytes));
    std::string utf8;
    for (const char c : text.substr(0, most_text_bytes)) {
        const auto code = uint8_t(c);
        if (code < 0x80) utf8 += c;
        else utf8 += {char(0xc0 | code >> 6), char(0x80 | (code & 0x3f))};
    }
    return utf8;
}

// What is before the next 0, which is taken as well.
std::string_view taken(std::string_view& data) {
    const size_t end = std::min(data.find('\0'), data.size());
    const std::string_view word = data.substr(0, end);
    data.remove_prefix(std::min(end + 1, data.size()));
    return word;
}

void append_text(Rows& rows, std::string_view type, std::string_view data) {
    const std::string keyword = from_latin1(taken(data));
    std::string text;
    if (type == "tEXt") {
        text = from_latin1(data);
    } else if (type == "zTXt") {
        if (!data.empty()) text = from_latin1(inflated(data.substr(1)));
    } else {  // iTXt: compressed?, method, language, translated keyword, text
        if (data.size() < 2) return;
        const bool compressed = data[0] == 1;
        data.remove_prefix(2);
        taken(data);
        taken(data);
        text = compressed ? inflated(data) : std::string(data.substr(0, most_text_bytes));
    }
    rows.push_back({"PNG", keyword.starts_with("XML:com.adobe.xmp") ? "XMP" : keyword, text});
}

void append_time(Rows& rows, ByteSpan data) {
    if (data.size() != 7) return;
    rows.push_back({"PNG", "Changed",
                    fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02} UTC", be16(data, 0), byte_at(data, 2),
                                byte_at(data, 3), byte_at(data, 4), byte_at(data, 5), byte_at(data, 6))});
}

void append_density(Rows& rows, ByteSpan data) {
    if (data.size() != 9) return;
    const uint32_t across = be32(data, 0), down = be32(data, 4);
    rows.push_back({"PNG", "Resolution",
                    byte_at(data, 8) == 1 ? fmt::format("{:.0f} × {:.0f} per inch", across * 0.0254, down * 0.0254)
                                          : fmt::format("{} × {}, only the ratio is meant", across, down)});
}

}  // namespace

std::vector<MetadataRow> png_texts(ByteSpan file) {
    Rows rows;
    for (size_t at = 8; at + 8 <= file.size() && rows.size() < most_texts;) {
        const uint32_t length = be32(file, at);
        const std::string_view type = text_of(file.subspan(at + 4, 4));
        if (length > file.size() - at - 8) break;
        const ByteSpan data = file.subspan(at + 8, length);
        if (type == "tEXt" || type == "zTXt" || type == "iTXt") append_text(rows, type, text_of(data));
        if (type == "tIME") append_time(rows, data);
        if (type == "pHYs") append_density(rows, data);
        at += 12 + size_t(length);
    }
    return rows;
}

std::vector<MetadataRow> jpeg_texts(ByteSpan file) {
    Rows rows;
    for (size_t at = 2; at + 4 <= file.size() && rows.size() < most_texts;) {
        const uint32_t marker = byte_at(file, at + 1), length = be16(file, at + 2);
        if (byte_at(file, at) != 0xff || marker == 0xda || marker == 0xd9) break;
        if (marker == 0xff) {  // a filling byte
            ++at;
            continue;
        }
        if (length < 2 || length - 2 > file.size() - at - 4) break;
        const ByteSpan data = file.subspan(at + 4, length - 2);
        const bool progressive = marker == 0xc2 || marker == 0xc6 || marker == 0xca || marker == 0xce;
        if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc)
            rows.push_back({"JPEG", "Coding", progressive ? "progressive" : "sequential"});
        if (marker == 0xfe) rows.push_back({"JPEG", "Comment", std::string(text_of(data).substr(0, most_text_bytes))});
        if (marker == 0xe0 && data.size() >= 12 && text_of(data).starts_with("JFIF\0"sv)) {
            constexpr const char* units[] = {", only the ratio is meant", " per inch", " per centimetre"};
            const uint32_t unit = byte_at(data, 7);
            if (unit < 3)
                rows.push_back(
                    {"JPEG", "Resolution", fmt::format("{} × {}{}", be16(data, 8), be16(data, 10), units[unit])});
        }
        at += 2 + size_t(length);
    }
    return rows;
}

}  // namespace texelscope
