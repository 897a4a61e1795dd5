// Truevision TGA 2.0. A fourth byte is alpha if the header counts its bits as attributes, or the extension area says
// so; colours beyond the map are black.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/bmp.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/modules.h"

namespace texelscope {
namespace {

constexpr size_t header_bytes = 18;
constexpr uint32_t mapped = 1, coloured = 2, grey = 3, in_runs = 8;

struct Header {
    explicit Header(ByteSpan header)
        : id_bytes(byte_at(header, 0)),
          map_kind(byte_at(header, 1)),
          kind(byte_at(header, 2)),
          map_first(le16(header, 3)),
          map_count(le16(header, 5)),
          map_bits(byte_at(header, 7)),
          width(int(le16(header, 12))),
          height(int(le16(header, 14))),
          bits(byte_at(header, 16)),
          attribute_bits(byte_at(header, 17) & 15),
          from_right((byte_at(header, 17) & 16) != 0),
          from_above((byte_at(header, 17) & 32) != 0),
          interleaved((byte_at(header, 17) & 0xc0) != 0) {}

    uint32_t what() const { return kind & ~in_runs; }
    size_t pixel_bytes() const { return (bits + 7) / 8; }

    uint32_t id_bytes, map_kind, kind, map_first, map_count, map_bits;
    int width, height;
    uint32_t bits, attribute_bits;
    bool from_right, from_above, interleaved;
};

// The attributes type of the extension area, which a footer points at.
std::optional<uint32_t> attributes_type(ByteSpan file) {
    constexpr size_t footer_bytes = 26, area_bytes = 495;
    if (file.size() < header_bytes + footer_bytes) return {};
    const ByteSpan footer = file.last(footer_bytes);
    if (!text_of(footer.subspan(8)).starts_with("TRUEVISION-XFILE")) return {};
    const uint64_t at = le32(footer, 0);
    if (at == 0 || at + area_bytes > file.size() || le16(file, at) < area_bytes) return {};
    return byte_at(file, at + area_bytes - 1);
}

// The alpha of pixels that have room for it.
Alpha stored_alpha(const Header& header, ByteSpan file) {
    constexpr uint32_t retained = 2, useful = 3, premultiplied = 4;
    const auto type = attributes_type(file);
    if (!type) return header.attribute_bits > 0 ? Alpha::straight : Alpha::none;
    if (*type == premultiplied) return Alpha::premultiplied;
    return *type == useful || *type == retained ? Alpha::straight : Alpha::none;
}

// The channels of colours or grey with a given number of bits.
struct Channels {
    PixelFields fields;
    Alpha alpha;
};

Channels channels_of(uint32_t bits, bool is_grey, Alpha alpha) {
    const bool room = is_grey ? bits == 16 : bits == 16 || bits == 32;
    if (!room) alpha = Alpha::none;
    std::vector<BitField> fields;
    if (is_grey) fields = {BitField(bits == 16 && alpha == Alpha::none ? 0xffff : 0xff)};
    else if (bits <= 16) fields = {BitField(0x7c00), BitField(0x3e0), BitField(0x1f)};
    else fields = {BitField(0xff0000), BitField(0xff00), BitField(0xff)};
    if (alpha != Alpha::none) fields.emplace_back(is_grey ? 0xff00 : bits == 16 ? 0x8000 : 0xff000000);
    return {PixelFields(std::move(fields), (bits + 7) / 8), alpha};
}

bool is_colour(uint32_t bits) { return bits == 15 || bits == 16 || bits == 24 || bits == 32; }

bool makes_sense(const Header& header) {
    const uint32_t what = header.what();
    return header.map_kind <= 1 && header.kind <= (in_runs | grey) &&
           ((what == mapped && header.map_kind == 1 && (header.bits == 8 || header.bits == 16) &&
             is_colour(header.map_bits)) ||
            (what == coloured && is_colour(header.bits)) || (what == grey && (header.bits == 8 || header.bits == 16)));
}

// Whether all fields are as writers leave them. No text is so: it has no zeros in these places.
bool plausible(ByteSpan head) {
    if (head.size() < header_bytes) return false;
    const Header header(head);
    const bool map_fits = header.map_kind == 1 ? header.map_count > 0 && is_colour(header.map_bits)
                                               : header.map_first + header.map_count + header.map_bits == 0;
    const uint32_t depth = header.what() == mapped ? header.map_bits : header.bits;
    const uint32_t room = depth == 32 || (depth == 16 && header.what() == grey) ? 8 : depth == 16 ? 1 : 0;
    return makes_sense(header) && map_fits && header.width > 0 && header.height > 0 && !header.interleaved &&
           (header.attribute_bits == 0 || header.attribute_bits == room);
}

void check_header(const Header& header) {
    if (!makes_sense(header)) throw Error("not a TGA file: its header makes no sense");
    if (header.interleaved) throw Error("a TGA with interleaved rows cannot be read; save it with plain rows");
    check_dimensions(uint64_t(header.width), uint64_t(header.height), 4, SampleType::u16);
}

struct Pixels {
    Bytes expanded = {};
    ByteSpan bytes = {};
    int rows = 0;  // rows in the file
};

Pixels in_plain_rows(const Walker& walk, const Header& header, ByteSpan content) {
    const ByteSpan rest = content.subspan(walk.at());
    const uint64_t row_bytes = uint64_t(header.width) * header.pixel_bytes();
    return {{}, rest, int(rows_present(rest.size(), row_bytes, uint64_t(header.width), uint64_t(header.height)))};
}

Pixels expanded_runs(Walker walk, const Header& header, ByteSpan content) {
    const uint64_t width = uint64_t(header.width), height = uint64_t(header.height);
    const size_t pixel = header.pixel_bytes();
    check_plausible(content.size(), width, height, pixel, SampleType::u8);
    Bytes pixels(size_t(width * height) * pixel);
    size_t done = 0;
    while (done < pixels.size() && walk.at() < content.size()) {
        const uint32_t packet = walk.byte();
        const size_t bytes = std::min(((packet & 127) + 1) * pixel, pixels.size() - done);
        const bool repeats = (packet & 128) != 0;
        const size_t wanted = repeats ? pixel : bytes;
        const ByteSpan from = walk.take(std::min(wanted, content.size() - walk.at()));
        if (from.size() < wanted) break;
        for (size_t i = 0; i < bytes; i += from.size())
            std::copy(from.begin(), from.end(), pixels.begin() + ptrdiff_t(done + i));
        done += bytes;
    }
    const int rows = int(done / pixel / width);
    check_enough_rows(rows, header.height, content.size(), "TGA");
    Pixels result{std::move(pixels), {}, rows};
    result.bytes = result.expanded;
    return result;
}

// The colours of all indices, in samples of a byte; black where the map has none.
Bytes colours_of(ByteSpan map, const Header& header, const PixelFields& fields) {
    const size_t indices = size_t(1) << header.bits, colour = size_t(fields.channels());
    const size_t first = std::min<size_t>(header.map_first, indices);
    Bytes colours(indices * colour);
    fields.unpack(map, int(std::min<size_t>(header.map_count, indices - first)), colours.data() + first * colour);
    return colours;
}

void mirror(std::byte* row, int width, size_t pixel) {
    for (int left = 0, right = width - 1; left < right; ++left, --right)
        std::swap_ranges(row + size_t(left) * pixel, row + size_t(left + 1) * pixel, row + size_t(right) * pixel);
}

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    Walker walk(content, "TGA");
    const Header header(walk.take(header_bytes));
    check_header(header);
    walk.take(header.id_bytes);
    const ByteSpan map = walk.take(header.map_kind ? uint64_t(header.map_count) * ((header.map_bits + 7) / 8) : 0);
    const bool indexed = header.what() == mapped;
    const Channels channels =
        channels_of(indexed ? header.map_bits : header.bits, header.what() == grey, stored_alpha(header, content));
    const PixelFields& fields = channels.fields;
    const Bytes colours = indexed ? colours_of(map, header, fields) : Bytes();
    const size_t pixel = header.pixel_bytes(), row_bytes = size_t(header.width) * pixel;
    const Pixels pixels =
        header.kind & in_runs ? expanded_runs(walk, header, content) : in_plain_rows(walk, header, content);
    const PictureShape stored{header.width, header.height, fields.channels(), fields.type(), channels.alpha};
    const size_t sample_bytes = size_t(fields.channels() * bytes_per_sample(fields.type()));
    deliver_single(
        file.choice, stored, 1, target,
        [&](int y, std::byte* to) {
            const ByteSpan row =
                pixels.bytes.subspan(size_t(header.from_above ? y : header.height - 1 - y) * row_bytes);
            if (!indexed) fields.unpack(row, header.width, to);
            for (size_t x = 0; indexed && x < size_t(header.width); ++x)
                std::copy_n(colours.data() + pixel_at(row, x, pixel) * sample_bytes, sample_bytes,
                            to + x * sample_bytes);
            if (header.from_right) mirror(to, header.width, sample_bytes);
        },
        missing_rows(pixels.rows, header.height, !header.from_above));
}

}  // namespace

extern const Codec tga_codec;
constinit const Codec tga_codec{
    .name = "TGA",
    .extensions = "tga",
    .samples = "8 bits; alpha if its bits are counted, straight or premultiplied as the extension area says",
    .plausible = plausible,
    .decode = decode,
    .oiio = "targa",
    .writing = {.types = holds_u8,
                .channels = "134",
                .alpha = Alpha::straight,
                .encode = TEXELSCOPE_WITH_OIIO ? encode_by_oiio : encode_with_stb,
                .fourth_is_alpha = true,
                .most_side = 65535,
                .most_gibibytes = TEXELSCOPE_WITH_OIIO ? 4 : 1},
};

}  // namespace texelscope
