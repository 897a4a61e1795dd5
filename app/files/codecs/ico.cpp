// Icons and cursors of Windows: several pictures, each a DIB with a mask or a PNG; the largest one is the first part.
#include <algorithm>
#include <cstring>
#include <limits>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/bmp.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/png.h"

using namespace std::string_view_literals;

namespace texelscope {
namespace {

constexpr size_t directory_bytes = 6, entry_bytes = 16;

struct Entry {
    int width = 0, height = 0;
    uint32_t bits = 0;
    ByteSpan bytes = {};  // empty: beyond the end of the file
};

bool is_png(ByteSpan bytes) { return text_of(bytes).starts_with("\x89PNG\r\n\x1a\n") && bytes.size() >= 25; }

// An entry with the size and depth that the picture itself states: the directory has sides of one byte.
Entry entry_at(ByteSpan file, size_t number) {
    const ByteSpan entry = file.subspan(directory_bytes + entry_bytes * number, entry_bytes);
    const auto side = [&](size_t at) { return byte_at(entry, at) ? int(byte_at(entry, at)) : 256; };
    Entry result{side(0), side(1)};
    const uint64_t bytes = le32(entry, 8), begin = le32(entry, 12);
    if (begin >= file.size()) return result;
    // A length that is too large is cut at the end of the file; 0, as OpenImageIO writes, is none stated.
    result.bytes = file.subspan(begin, std::min<uint64_t>(bytes ? bytes : file.size(), file.size() - begin));
    const auto limited = [](uint32_t value) { return int(std::min<uint32_t>(value, 1 << 24)); };
    if (is_png(result.bytes)) {
        result.width = limited(be32(result.bytes, 16));
        result.height = limited(be32(result.bytes, 20));
        result.bits = 32;
    } else if (result.bytes.size() >= 16 && le32(result.bytes, 0) >= 40) {
        result.width = limited(le32(result.bytes, 4));
        result.height = limited(le32(result.bytes, 8)) / 2;
        result.bits = le16(result.bytes, 14);
    }
    return result;
}

// All entries. The largest one, or the deepest of several such, comes first; the others keep the order of the file.
std::vector<Entry> entries_of(ByteSpan file) {
    if (file.size() < directory_bytes) throw_truncated(file.size(), "ICO");
    const size_t count = le16(file, 4);
    if (count == 0) throw Error("the ICO holds no picture");
    if (file.size() < directory_bytes + count * entry_bytes) throw_truncated(file.size(), "ICO");
    std::vector<Entry> entries;
    for (size_t i = 0; i < count; ++i) entries.push_back(entry_at(file, i));
    const auto size = [](const Entry& entry) { return std::tuple(int64_t(entry.width) * entry.height, entry.bits); };
    const auto largest = std::ranges::max_element(entries, {}, size);
    std::rotate(entries.begin(), largest, largest + 1);
    return entries;
}

ChosenPicture chosen_of(const PictureChoice& choice, const std::vector<Entry>& entries) {
    const auto names = usual_channel_names(4, Alpha::straight);
    ChosenPicture picture;
    for (size_t i = 0; i < std::min(entries.size(), size_t(most_listed_parts)); ++i)
        picture.facts.parts.push_back({"", entries[i].width, entries[i].height, names});
    picture.facts.part = chosen_part(choice, picture.facts.parts, int(entries.size()));
    picture.facts.upright = choice.upright;
    picture.channels = chosen_channels(choice, names, 3);
    picture.facts.channels = picture.channels.which;
    return picture;
}

// Makes straight RGBA from a row of other channels, opaque if they have no alpha.
void widen(const std::byte* from, int channels, size_t sample, int width, std::byte* to) {
    const bool colours = channels >= 3, alpha = channels % 2 == 0;
    for (int x = 0; x < width; ++x, from += size_t(channels) * sample, to += 4 * sample) {
        for (size_t c = 0; c < 3; ++c) std::memcpy(to + c * sample, from + (colours ? c * sample : 0), sample);
        if (alpha) std::memcpy(to + 3 * sample, from + size_t(channels - 1) * sample, sample);
        else std::fill_n(to + 3 * sample, sample, std::byte(0xff));
    }
}

void deliver_png(const ChosenPicture& picture, ByteSpan bytes, DecodingTarget& target) {
    check_png(bytes);
    const Image image = parse_png(bytes);
    deliver_rows(picture, {image.width(), image.height(), 4, image.type(), Alpha::straight}, target,
                 [&](int y, std::byte* to) {
                     widen(image.row(y), image.channels(), size_t(bytes_per_sample(image.type())), image.width(), to);
                 });
}

// Delivers a DIB; the mask behind its pixels, of one bit each, hides some if there is no alpha.
void deliver_dib(const ChosenPicture& picture, ByteSpan bytes, DecodingTarget& target) {
    const Dib dib(bytes, 0, Dib::Use::icon);
    PictureShape shape = dib.shape();
    const int channels = shape.channels, width = shape.width, height = shape.height;
    const size_t sample = size_t(bytes_per_sample(shape.type)), mask_row = (size_t(width) + 31) / 32 * 4;
    const bool masked = shape.alpha == Alpha::none && dib.rest().size() >= mask_row * size_t(height);
    shape.channels = 4;
    shape.alpha = Alpha::straight;
    std::vector<std::byte> row(size_t(width) * size_t(channels) * sample);
    deliver_rows(
        picture, shape, target,
        [&](int y, std::byte* to) {
            dib.row(y, row.data());
            widen(row.data(), channels, sample, width, to);
            if (!masked) return;
            const ByteSpan mask = dib.rest().subspan(size_t(height - 1 - y) * mask_row);
            for (size_t x = 0; x < size_t(width); ++x)
                if (byte_at(mask, x / 8) << x % 8 & 0x80) std::fill_n(to + (4 * x + 3) * sample, sample, std::byte(0));
        },
        dib.missing());
}

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    const std::vector<Entry> entries = entries_of(content);
    const ChosenPicture picture = chosen_of(file.choice, entries);
    const ByteSpan bytes = entries.at(size_t(picture.facts.part)).bytes;
    if (bytes.empty()) throw_truncated(content.size(), "ICO");
    if (is_png(bytes)) deliver_png(picture, bytes, target);
    else deliver_dib(picture, bytes, target);
}

// A cursor begins like an uncompressed TGA, which has 0 for the count of its pictures.
bool is_cursor(ByteSpan head) {
    return text_of(head).starts_with("\0\0\2\0"sv) && head.size() > 5 && le16(head, 4) > 0;
}

}  // namespace

extern const Codec ico_codec;
constinit const Codec ico_codec{
    .name = "ICO",
    .extensions = "ico cur",
    .samples = "8 bits, straight alpha, or that of the mask; the largest picture first",
    .signatures = {{{0, "\0\0\1\0"sv}}},
    .recognise = is_cursor,
    .decode = decode,
};

}  // namespace texelscope
