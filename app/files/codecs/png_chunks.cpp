#include "app/files/codecs/png.h"

#include <algorithm>
#include <string_view>

#include <zlib.h>

namespace texelscope {
namespace {

constexpr bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

PngChunks::PngChunks(ByteSpan file) : file_(file) {
    if (file.size() < at_) throw_truncated(file.size(), "PNG");
}

std::optional<PngChunk> PngChunks::next() {
    constexpr uint32_t longest = (1u << 31) - 1;
    if (has_end_ || ends_early_) return {};
    ByteSpan rest = file_.subspan(at_);
    ends_early_ = rest.size() < 8;
    if (ends_early_) return {};
    const uint32_t length = be32(rest, 0);
    PngChunk chunk{at_, text_of(rest.subspan(4, 4)), {}};
    if (length > longest || !std::ranges::all_of(chunk.type, is_letter)) return {};
    rest = rest.subspan(8);
    chunk.data = rest.first(std::min<size_t>(length, rest.size()));
    chunk.whole = chunk.data.size() == length;
    rest = rest.subspan(chunk.data.size());
    if (rest.size() >= 4) chunk.sum = be32(rest, 0);
    at_ = file_.size() - rest.size() + std::min<size_t>(4, rest.size());
    has_end_ = chunk.type == "IEND";
    ends_early_ = !chunk.whole;
    return chunk;
}

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
