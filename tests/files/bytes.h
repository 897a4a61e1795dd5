#pragma once
// Files built byte by byte for the tests, independently of the code under test.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "tests/support/tools.h"

namespace texelscope::test {

inline ByteSpan span_of(std::string_view text) { return std::as_bytes(std::span(text)); }

inline std::string big16(uint32_t v) { return {char(v >> 8), char(v)}; }
inline std::string big32(uint32_t v) { return {char(v >> 24), char(v >> 16), char(v >> 8), char(v)}; }
inline std::string little16(uint32_t v) { return {char(v), char(v >> 8)}; }
inline std::string little32(uint32_t v) { return {char(v), char(v >> 8), char(v >> 16), char(v >> 24)}; }

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Every sample of a row, as stored.
template <class T> std::vector<T> samples(const Image& image) {
    const T* begin = reinterpret_cast<const T*>(image.data());
    return {begin, begin + image.size_bytes() / sizeof(T)};
}

// What an encoder makes of an image.
inline Bytes encoded(void (*encode)(const RowSource&, const ByteSink&), const Image& image) {
    Bytes bytes;
    encode(rows_of(image), [&](ByteSpan more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
    return bytes;
}

inline uint32_t crc_by_bits(std::string_view text) {
    uint32_t crc = ~0u;
    for (const char c : text)
        for (uint32_t bit = 0, byte = uint8_t(c); bit < 8; ++bit, byte >>= 1)
            crc = (crc >> 1) ^ ((crc ^ byte) & 1 ? 0xedb88320u : 0u);
    return ~crc;
}

inline std::string chunk(const std::string& type, const std::string& data) {
    return big32(uint32_t(data.size())) + type + data + big32(crc_by_bits(type + data));
}

// A zlib stream of one stored block.
inline std::string stored(const std::string& data) {
    uint32_t a = 1, b = 0;
    for (const char c : data) {
        a = (a + uint8_t(c)) % 65521;
        b = (b + a) % 65521;
    }
    const auto n = uint32_t(data.size());
    return "\x78\x01\x01" + little16(n) + little16(~n) + data + big32(b << 16 | a);
}

// `rows` holds every row with its filter byte in front; `extra` is between header and data.
inline std::string png(uint32_t width, uint32_t height, int depth, int colour, const std::string& rows,
                       const std::string& extra = "") {
    const std::string header = big32(width) + big32(height) + char(depth) + char(colour) + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + extra + chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

// A .npy of format version 1 as NumPy lays it out.
inline std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
    std::string header = dictionary;
    const size_t prefix = version == 1 ? 10 : 12;
    while ((prefix + header.size() + 1) % 64) header += ' ';
    header += '\n';
    const auto n = uint32_t(header.size());
    return std::string("\x93NUMPY") + version + '\0' + (version == 1 ? little16(n) : little32(n)) + header + data;
}

// Bitmaps of Windows and OS/2, byte by byte, by Microsoft's description of their headers.

// A BITMAPINFOHEADER or one of its successors; `more` holds the bytes behind biClrImportant.
inline std::string dib_header(int width, int height, int bits, int compression, int colours = 0,
                              const std::string& more = "") {
    return little32(uint32_t(40 + more.size())) + little32(uint32_t(width)) + little32(uint32_t(height)) + little16(1) +
           little16(uint32_t(bits)) + little32(uint32_t(compression)) + little32(0) + little32(2835) + little32(2835) +
           little32(uint32_t(colours)) + little32(0) + more;
}

inline std::string masks(uint32_t red, uint32_t green, uint32_t blue) {
    return little32(red) + little32(green) + little32(blue);
}

// A whole file; `head` has the header, masks and colours, and the pixels begin `gap` bytes behind it.
inline std::string bmp(const std::string& head, const std::string& pixels, size_t gap = 0) {
    const auto offset = uint32_t(14 + head.size() + gap);
    return "BM" + little32(uint32_t(offset + pixels.size())) + little32(0) + little32(offset) + head +
           std::string(gap, '\x55') + pixels;
}

// OpenEXR files byte by byte, as "OpenEXR File Layout" describes them: one part, no compression, rows from the top.

enum class ExrType : uint32_t { uint, half, real };

struct ExrChannelBytes {
    std::string name;
    ExrType type;
    std::vector<std::string> rows;  // the samples of a row, one after another, little-endian
};

struct ExrWindow {
    int left, top, right, bottom;  // all inclusive
};

inline std::string exr_attribute(const std::string& name, const std::string& type, const std::string& value) {
    return name + '\0' + type + '\0' + little32(uint32_t(value.size())) + value;
}

inline std::string exr_box(const ExrWindow& box) {
    return little32(uint32_t(box.left)) + little32(uint32_t(box.top)) + little32(uint32_t(box.right)) +
           little32(uint32_t(box.bottom));
}

inline std::string little_float(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return little32(bits);
}

// A whole file; channels are in the order of their names and have as many rows as the data window.
inline std::string exr(const std::vector<ExrChannelBytes>& channels, const ExrWindow& data, const ExrWindow& display,
                       const std::string& more_attributes = "") {
    using namespace std::string_literals;
    std::string list;
    for (const ExrChannelBytes& channel : channels)
        list += channel.name + '\0' + little32(uint32_t(channel.type)) + little32(0) + little32(1) + little32(1);
    const std::string header =
        "v/1\1"s + little32(2) + exr_attribute("channels", "chlist", list + '\0') +
        exr_attribute("compression", "compression", "\0"s) + exr_attribute("dataWindow", "box2i", exr_box(data)) +
        exr_attribute("displayWindow", "box2i", exr_box(display)) + exr_attribute("lineOrder", "lineOrder", "\0"s) +
        exr_attribute("pixelAspectRatio", "float", little_float(1)) +
        exr_attribute("screenWindowCenter", "v2f", little_float(0) + little_float(0)) +
        exr_attribute("screenWindowWidth", "float", little_float(1)) + more_attributes + '\0';
    const size_t rows = size_t(data.bottom - data.top + 1);
    std::string table, chunks;
    for (size_t y = 0; y < rows; ++y) {
        std::string row;
        for (const ExrChannelBytes& channel : channels) row += channel.rows.at(y);
        table += little32(uint32_t(header.size() + 8 * rows + chunks.size())) + little32(0);
        chunks += little32(uint32_t(data.top + int(y))) + little32(uint32_t(row.size())) + row;
    }
    return header + table + chunks;
}

inline std::string exr(const std::vector<ExrChannelBytes>& channels, int width, int height) {
    return exr(channels, {0, 0, width - 1, height - 1}, {0, 0, width - 1, height - 1});
}

// A channel of one row.
inline ExrChannelBytes exr_integers(const std::string& name, const std::vector<uint32_t>& values) {
    std::string row;
    for (const uint32_t value : values) row += little32(value);
    return {name, ExrType::uint, {row}};
}
inline ExrChannelBytes exr_floats(const std::string& name, const std::vector<float>& values) {
    std::string row;
    for (const float value : values) row += little_float(value);
    return {name, ExrType::real, {row}};
}
inline ExrChannelBytes exr_halves(const std::string& name, const std::vector<uint32_t>& bits) {
    std::string row;
    for (const uint32_t half : bits) row += little16(half);
    return {name, ExrType::half, {row}};
}

// The boxes of an HEIF file without a picture, byte by byte as ISO/IEC 14496-12 and 23008-12 describe them.

inline std::string heif_box(const std::string& type, const std::string& content) {
    return big32(uint32_t(8 + content.size())) + type + content;
}

// Its main item, 1, has these properties in their order; item 2 is the EXIF data, whose place is an offset in the file.
inline std::string heif(const std::vector<std::pair<std::string, std::string>>& properties, const std::string& tiff) {
    using namespace std::string_literals;
    const std::string full = "\0\0\0\0"s, full2 = "\2\0\0\0"s;
    const auto item = [&](uint32_t id, const std::string& type) {
        return heif_box("infe", full2 + big16(id) + big16(0) + type + '\0');
    };
    std::string boxes, indices;
    for (const auto& [type, content] : properties) {
        boxes += heif_box(type, content);
        indices += char(0x80 | (indices.size() + 1));
    }
    const std::string exif_item = big32(6) + "Exif\0\0"s + tiff;
    const auto meta = [&](uint32_t place) {
        return heif_box("meta", full + heif_box("pitm", full + big16(1)) +
                                    heif_box("iinf", full + big16(2) + item(1, "hvc1") + item(2, "Exif")) +
                                    heif_box("iloc", full + "\x44\0"s + big16(1) + big16(2) + big16(0) + big16(1) +
                                                         big32(place) + big32(uint32_t(exif_item.size()))) +
                                    heif_box("iprp", heif_box("ipco", boxes) +
                                                         heif_box("ipma", full + big32(1) + big16(1) +
                                                                              char(indices.size()) + indices)));
    };
    const std::string head = heif_box("ftyp", "heic\0\0\0\0mif1"s);
    const size_t place = head.size() + meta(0).size() + 8;
    return head + meta(uint32_t(place)) + heif_box("mdat", exif_item);
}

}  // namespace texelscope::test
