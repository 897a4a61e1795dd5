#include "app/files/codecs/codecs.h"

#include <algorithm>
#include <string_view>

#include <zlib.h>

#include "app/files/bytes/rows.h"
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
