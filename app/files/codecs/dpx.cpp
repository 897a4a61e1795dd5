// DPX (SMPTE 268M-2003) and Cineon (Kodak, 1993): the components of a line, packed into words of 32 bits. Straight alpha;
// turned as the header says. Other kinds, such as CbYCr, are left to OpenImageIO.

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/modules.h"

namespace texelscope {
namespace {

// How DPX and Cineon pack the components of a line.

struct DpxPacking {
    enum class Kind {
        packed,
        high,
        low
    };  // packed: no gaps; high, low: three components (10 bits) or one (12) in the upper or lower bits of a word
    Kind kind = Kind::packed;
    uint32_t bits = 8;  // 8, 10, 12, 16 or 32: a float
    bool little_endian = false;
    bool from_low = false;  // the first of three components is in the low bits, as in elements of one channel

    // The bytes of a line without padding.
    uint64_t line_bytes(uint64_t components) const;
    SampleType type() const { return bits == 8 ? SampleType::u8 : bits == 32 ? SampleType::f32 : SampleType::u16; }

    // One component of a line: its bits, scaled to those of the type.
    uint32_t component(ByteSpan line, size_t which) const;
};

uint32_t scaled(uint32_t value, uint32_t bits) {
    const uint32_t most = (1u << bits) - 1;
    return (value * 65535 + most / 2) / most;
}

uint64_t DpxPacking::line_bytes(uint64_t components) const {
    if (bits == 10 && kind != Kind::packed) return (components + 2) / 3 * 4;
    if (bits == 12 && kind != Kind::packed) return components * 2;
    if (bits == 10 || bits == 12) return (components * bits + 31) / 32 * 4;
    return components * bits / 8;
}

uint32_t DpxPacking::component(ByteSpan line, size_t which) const {
    const auto two = [&](size_t at) { return little_endian ? le16(line, at) : be16(line, at); };
    const auto four = [&](size_t at) { return little_endian ? le32(line, at) : be32(line, at); };
    if (bits == 8) return byte_at(line, which);
    if (bits == 16) return two(2 * which);
    if (bits == 32) return four(4 * which);
    if (kind == Kind::packed) {  // the first component is in the lowest bits of the first word
        const size_t bit = which * bits, word = bit / 32 * 4, shift = bit % 32;
        uint64_t words = four(word);
        if (shift + bits > 32) words |= uint64_t(four(word + 4)) << 32;
        return scaled(uint32_t(words >> shift) & ((1u << bits) - 1), bits);
    }
    if (bits == 12) return scaled(two(2 * which) >> (kind == Kind::high ? 4 : 0) & 0xfff, bits);
    const size_t place = from_low ? which % 3 : 2 - which % 3;
    return scaled(four(which / 3 * 4) >> (10 * place + (kind == Kind::high ? 2 : 0)) & 0x3ff, bits);
}

constexpr uint32_t undefined = 0xffffffff;

// Some channels of the picture, stored together.
struct Element {
    std::vector<int> channels = {};  // channels of the picture, in the order of the components
    DpxPacking packing = {};
    uint64_t begin = 0, line_bytes = 0;  // a line includes its padding
};

struct Picture {
    int width = 0, height = 0, channels = 0;
    Alpha alpha = Alpha::none;
    int orientation = 1;  // as in EXIF
    std::vector<Element> elements = {};
};

class Numbers {
public:
    Numbers(ByteSpan bytes, bool little_endian) : bytes_(bytes), little_endian_(little_endian) {}
    uint32_t two(size_t at) const { return little_endian_ ? le16(bytes_, at) : be16(bytes_, at); }
    uint32_t four(size_t at) const { return little_endian_ ? le32(bytes_, at) : be32(bytes_, at); }
    uint32_t one(size_t at) const { return byte_at(bytes_, at); }
    bool little_endian() const { return little_endian_; }

private:
    ByteSpan bytes_;
    bool little_endian_;
};

// The EXIF orientations for the codes that state where the first line and its first pixel are on the picture.
constexpr std::array<int, 8> orientations_of_dpx = {1, 2, 4, 3, 5, 6, 8, 7};
constexpr std::array<int, 8> orientations_of_cineon = {1, 4, 2, 3, 5, 6, 8, 7};

int orientation_of(uint32_t code, const std::array<int, 8>& of_exif) {
    return code < of_exif.size() ? of_exif[code] : 1;
}

enum Channel { red, green, blue, alpha, grey, other };

// The channels of an element, by its descriptor; empty: not read here.
std::vector<Channel> channels_of(uint32_t descriptor) {
    switch (descriptor) {
        case 1: return {red};
        case 2: return {green};
        case 3: return {blue};
        case 4: return {alpha};
        case 6:
        case 8: return {grey};
        case 50: return {red, green, blue};
        case 51: return {red, green, blue, alpha};
        case 52: return {alpha, blue, green, red};
        default: break;
    }
    constexpr uint32_t generic = 150;  // for two components; the next codes for up to eight
    return descriptor >= generic && descriptor <= generic + 6 ? std::vector<Channel>(descriptor - generic + 2, other)
                                                              : std::vector<Channel>();
}

std::optional<DpxPacking> packing_of(const Numbers& numbers, size_t element, size_t channels) {
    const uint32_t bits = numbers.one(element + 23), packing = numbers.two(element + 24);
    const bool signed_data = numbers.four(element) != 0, in_runs = numbers.two(element + 26) != 0;
    const bool known = bits == 8 || bits == 10 || bits == 12 || bits == 16 || bits == 32;
    if (!known || signed_data || in_runs || packing > 2) return {};
    using enum DpxPacking::Kind;
    return DpxPacking{packing == 0 ? packed : packing == 1 ? high : low, bits, numbers.little_endian(), channels == 1};
}

// Gives each component its place in the picture: grey, grey and alpha, RGB, RGBA, or plain data. False if they make none.
bool place_channels(const std::vector<std::vector<Channel>>& elements, Picture& picture) {
    std::vector<Channel> all;
    for (const auto& channels : elements) all.insert(all.end(), channels.begin(), channels.end());
    const auto count = [&](Channel channel) { return std::ranges::count(all, channel); };
    const bool plain = count(other) == std::ssize(all);
    const bool colours = count(red) == 1 && count(green) == 1 && count(blue) == 1 && count(grey) == 0;
    const bool one_grey = count(grey) == 1 && count(red) + count(green) + count(blue) == 0;
    const bool single = all.size() == 1;  // one colour alone, or alpha, is shown as grey
    if (!plain && !single && (!(colours || one_grey) || count(alpha) > 1 || count(other) > 0)) return false;
    picture.channels = int(all.size());
    picture.alpha = !single && count(alpha) == 1 ? Alpha::straight : Alpha::none;
    int next = 0;
    for (size_t i = 0; i < elements.size(); ++i)
        for (const Channel channel : elements[i])
            picture.elements[i].channels.push_back(plain || single    ? next++
                                                   : channel == alpha ? picture.channels - 1
                                                   : channel == grey  ? 0
                                                                      : int(channel));
    return true;
}

// Lines are padded to whole words, unless the size of the file shows that they are not.
uint64_t line_bytes(const Picture& picture, const Element& element, uint64_t padding, uint64_t file_bytes) {
    const uint64_t bytes = element.packing.line_bytes(uint64_t(picture.width) * element.channels.size());
    const uint64_t aligned = (bytes + 3) / 4 * 4 + padding;
    return element.begin + bytes * uint64_t(picture.height) == file_bytes ? bytes : aligned;
}

// The structure of a DPX; unset: a kind that is not read here.
std::optional<Picture> dpx_picture(ByteSpan file) {
    constexpr size_t headers = 1408, first_element = 780, element_bytes = 72;
    if (file.size() < headers) throw_truncated(file.size(), "DPX");
    const Numbers numbers(file, text_of(file).starts_with("XPDS"));
    Picture picture;
    picture.orientation = orientation_of(numbers.two(768), orientations_of_dpx);
    const uint32_t width = numbers.four(772), height = numbers.four(776), count = numbers.two(770);
    check_dimensions(width, height, 4, SampleType::u16);
    picture.width = int(width);
    picture.height = int(height);
    std::vector<std::vector<Channel>> channels;
    for (size_t i = 0; i < std::clamp<uint32_t>(count, 1, 8); ++i) {
        const size_t at = first_element + element_bytes * i;
        channels.push_back(channels_of(numbers.one(at + 20)));
        const auto packing = packing_of(numbers, at, channels.back().size());
        if (!packing || channels.back().empty()) return {};
        const uint32_t begin = numbers.four(at + 28);
        picture.elements.push_back({{}, *packing, begin == 0 || begin == undefined ? numbers.four(4) : begin});
    }
    if (!place_channels(channels, picture)) return {};
    for (size_t i = 0; i < picture.elements.size(); ++i) {
        Element& element = picture.elements[i];
        if (element.packing.type() != picture.elements[0].packing.type()) return {};
        const uint32_t padding = numbers.four(first_element + element_bytes * i + 32);
        element.line_bytes = line_bytes(picture, element, padding == undefined ? 0 : padding, file.size());
    }
    return picture;
}

std::optional<Picture> cineon_picture(ByteSpan file) {
    constexpr size_t headers = 712, first_channel = 196, channel_bytes = 28;
    if (file.size() < headers) throw_truncated(file.size(), "Cineon");
    const Numbers numbers(file, byte_at(file, 0) == 0xd7);
    const uint32_t channels = numbers.one(193), bits = numbers.one(first_channel + 2);
    const uint32_t width = numbers.four(first_channel + 4), height = numbers.four(first_channel + 8);
    const uint32_t interleave = numbers.one(680), packing = numbers.one(681) & 0x7f, padding = numbers.four(684);
    constexpr uint32_t left_of_long = 5, right_of_long = 6;
    const bool filled = packing == left_of_long || packing == right_of_long;
    bool alike = true;
    for (size_t i = 1; i < std::min<uint32_t>(channels, 8); ++i)
        alike = alike && numbers.one(first_channel + channel_bytes * i + 2) == bits &&
                numbers.four(first_channel + channel_bytes * i + 4) == width;
    if (!alike || interleave != 0 || numbers.one(682) != 0 || (channels != 1 && channels != 3) ||
        !(bits == 8 || bits == 16 || (bits == 10 && filled && channels == 3)))
        return {};
    check_dimensions(width, height, channels, SampleType::u16);
    using enum DpxPacking::Kind;
    Picture picture{int(width), int(height), int(channels), Alpha::none,
                    orientation_of(numbers.one(192), orientations_of_cineon)};
    Element element{{}, {packing == right_of_long ? low : high, bits, numbers.little_endian()}, numbers.four(4)};
    for (int i = 0; i < picture.channels; ++i) element.channels.push_back(i);
    element.line_bytes = line_bytes(picture, element, padding == undefined ? 0 : padding, file.size());
    picture.elements.push_back(std::move(element));
    return picture;
}

void write_line(const Picture& picture, const Element& element, ByteSpan line, std::byte* to) {
    const SampleType type = element.packing.type();
    const size_t sample = size_t(bytes_per_sample(type)), channels = element.channels.size();
    for (size_t x = 0, which = 0; x < size_t(picture.width); ++x)
        for (size_t c = 0; c < channels; ++c, ++which) {
            const uint32_t value = element.packing.component(line, which);
            const size_t place = (x * size_t(picture.channels) + size_t(element.channels[c])) * sample;
            std::memcpy(to + place, &value, sample);
        }
}

void deliver(const Picture& picture, const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    const PictureShape stored{picture.width, picture.height, picture.channels, picture.elements[0].packing.type(),
                              picture.alpha};
    uint64_t there = uint64_t(picture.height);
    for (const Element& element : picture.elements) {
        const uint64_t begin = std::min<uint64_t>(element.begin, content.size());
        // The last line needs no padding.
        const uint64_t padding =
            element.line_bytes - element.packing.line_bytes(uint64_t(picture.width) * element.channels.size());
        there = std::min(there, rows_present(content.size() - begin + padding, element.line_bytes,
                                             uint64_t(picture.width), uint64_t(picture.height)));
    }
    deliver_single(
        file.choice, stored, picture.orientation, target,
        [&](int y, std::byte* to) {
            for (const Element& element : picture.elements)
                write_line(picture, element, content.subspan(element.begin + uint64_t(y) * element.line_bytes), to);
        },
        missing_rows(int(there), picture.height, false));
}

void deliver_or_ask(const std::optional<Picture>& picture, const EncodedFile& file, ByteSpan content,
                    DecodingTarget& target) {
    if (picture) deliver(*picture, file, content, target);
    else decode_others_by_oiio(file, content, target);
}

void decode_dpx(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    deliver_or_ask(dpx_picture(content), file, content, target);
}

void decode_cineon(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    deliver_or_ask(cineon_picture(content), file, content, target);
}

}  // namespace

extern const Codec dpx_codec, cineon_codec;
constinit const Codec dpx_codec = helped_by_oiio({
    .name = "DPX",
    .extensions = "dpx",
    .samples = "8 and 16 bits and float as stored; 10 and 12 bits as 16; straight alpha; other kinds need OpenImageIO",
    .signatures = {{{0, "SDPX"}, {0, "XPDS"}}},
    .decode = decode_dpx,
    .oiio = "dpx",
});
constinit const Codec cineon_codec = helped_by_oiio({
    .name = "Cineon",
    .extensions = "cin",
    .samples = "8 and 16 bits as stored, 10 bits as 16; other kinds need OpenImageIO",
    .signatures = {{{0, "\x80\x2a\x5f\xd7"}, {0, "\xd7\x5f\x2a\x80"}}},
    .decode = decode_cineon,
    .oiio = "cineon",
});

}  // namespace texelscope
