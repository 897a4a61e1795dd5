#include "app/files/codecs/png_texts.h"

#include <string_view>

#include <zlib.h>

namespace texelscope {
namespace {

constexpr size_t header_end = 8 + 8 + 13 + 4;  // signature and IHDR

void append_number(Bytes& bytes, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(std::byte(number >> shift & 255));
}

void append(Bytes& bytes, std::string_view text) {
    for (const char c : text) bytes.push_back(std::byte(c));
}

void append_chunk(Bytes& bytes, const std::string& content) {
    const std::string chunk = "tEXt" + content;
    append_number(bytes, uint32_t(content.size()));
    append(bytes, chunk);
    append_number(bytes, uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(chunk.data()), chunk.size())));
}

}  // namespace

Bytes with_texts(ByteSpan png, const PngTexts& texts) {
    Bytes bytes(png.begin(), png.begin() + ptrdiff_t(header_end));
    for (const auto& [keyword, text] : texts) append_chunk(bytes, keyword + '\0' + text);
    bytes.insert(bytes.end(), png.begin() + ptrdiff_t(header_end), png.end());
    return bytes;
}

}  // namespace texelscope
