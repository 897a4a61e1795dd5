// DDS, surfaces of DirectDraw and Direct3D: masks, luminance, 16 bits, floats, blocks BC1 to BC5; BC6H and BC7 through
// OpenImageIO. Faces of a cube map and pictures of an array are parts; only the largest of several levels is read.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/bmp.h"
#include "app/files/codecs/modules.h"
#include "gpu/core/image.h"

namespace texelscope {
namespace {

// The blocks BC1 to BC5 of Direct3D 10, "Block compression": 4×4 pixels each.
enum class DdsBlock { none, bc1, bc2, bc3, bc4, bc4_signed, bc5, bc5_signed };

constexpr size_t bytes_of(DdsBlock block) {
    using enum DdsBlock;
    return block == bc1 || block == bc4 || block == bc4_signed ? 8 : 16;
}
constexpr int channels_of(DdsBlock block) {
    using enum DdsBlock;
    return block == bc4 || block == bc4_signed ? 1 : block == bc5 || block == bc5_signed ? 2 : 4;
}
constexpr bool is_signed(DdsBlock block) { return block == DdsBlock::bc4_signed || block == DdsBlock::bc5_signed; }

// The pixel layout of a DDS, by its header. Microsoft, "DDS_HEADER", "DDS_PIXELFORMAT" and "DDS_HEADER_DXT10".

struct DdsLayout {
    int channels = 0;
    SampleType type = SampleType::u8;
    Alpha alpha = Alpha::none;
    uint32_t bits = 0;        // per pixel; 0 for blocks
    PixelFields fields = {};  // fields of a pixel; empty: plain samples
    DdsBlock block = DdsBlock::none;
    bool fractions = false;               // f32, stored as signed integers whose largest is 1
    bool unknown = false;                 // the kind is not read here
    size_t header_bytes = 128;            // before the pixels
    uint32_t pictures = 1;                // all of one shape: faces of a cube, layers of an array
    bool volume = false, opaque = false;  // opaque: alpha has no meaning

    uint64_t level_bytes(uint64_t width, uint64_t height) const {
        return block != DdsBlock::none ? (width + 3) / 4 * ((height + 3) / 4) * bytes_of(block)
                                       : (width * bits + 7) / 8 * height;
    }
};

constexpr size_t header_bytes = 128, dx10_bytes = 20;

DdsLayout of_samples(int channels, SampleType type) {
    DdsLayout layout;
    layout.channels = channels;
    layout.type = type;
    layout.alpha = channels == 4 ? Alpha::straight : Alpha::none;
    layout.bits = uint32_t(8 * channels * bytes_per_sample(type));
    return layout;
}

// Integers that are no colours; those up to 16 bits without a sign count as parts of the largest, as in all formats.
DdsLayout of_integers(int channels, SampleType type) {
    DdsLayout layout = of_samples(channels, type);
    layout.alpha = Alpha::none;
    return layout;
}

// Signed integers of so many bits, of which the largest is 1 and the two smallest are −1.
DdsLayout of_fractions(int channels, uint32_t bits) {
    DdsLayout layout = of_samples(channels, SampleType::f32);
    layout.fractions = true;
    layout.bits = uint32_t(channels) * bits;
    return layout;
}

DdsLayout of_block(DdsBlock block, Alpha alpha = Alpha::straight) {
    DdsLayout layout;
    layout.block = block;
    layout.channels = channels_of(block);
    layout.type = is_signed(block) ? SampleType::f32 : SampleType::u8;
    layout.alpha = layout.channels == 4 ? alpha : Alpha::none;
    return layout;
}

// `colours` and `alpha` are masks; an `alpha` of 0 means that there is none.
DdsLayout of_masks(uint32_t bits, std::initializer_list<uint32_t> colours, uint32_t alpha) {
    std::vector<BitField> fields;
    for (const uint32_t mask : colours) fields.emplace_back(mask);
    if (alpha) fields.emplace_back(alpha);
    const bool usable = bits >= 8 && bits <= 32 && bits % 8 == 0 && std::ranges::all_of(fields, &BitField::whole) &&
                        !std::ranges::all_of(fields, &BitField::empty);
    DdsLayout layout;
    layout.bits = bits;
    layout.alpha = alpha ? Alpha::straight : Alpha::none;
    layout.unknown = !usable;
    layout.fields = PixelFields(std::move(fields), bits / 8);
    layout.channels = layout.fields.channels();
    layout.type = layout.fields.type();
    return layout;
}

DdsLayout of_unknown() {
    DdsLayout layout;
    layout.unknown = true;
    return layout;
}

// The DXGI_FORMATs of integers: number, channels, type.
constexpr std::tuple<uint32_t, int, SampleType> integer_formats[] = {
    {3, 4, SampleType::u32},  {4, 4, SampleType::i32},  {7, 3, SampleType::u32},  {8, 3, SampleType::i32},
    {12, 4, SampleType::u16}, {14, 4, SampleType::i16}, {17, 2, SampleType::u32}, {18, 2, SampleType::i32},
    {30, 4, SampleType::u8},  {32, 4, SampleType::i8},  {36, 2, SampleType::u16}, {38, 2, SampleType::i16},
    {42, 1, SampleType::u32}, {43, 1, SampleType::i32}, {50, 2, SampleType::u8},  {52, 2, SampleType::i8},
    {57, 1, SampleType::u16}, {59, 1, SampleType::i16}, {62, 1, SampleType::u8},  {64, 1, SampleType::i8}};
// Formats of fractions with a sign: number, channels, bits of each.
constexpr std::tuple<uint32_t, int, uint32_t> fraction_formats[] = {{13, 4, 16}, {31, 4, 8},  {37, 2, 16},
                                                                    {51, 2, 8},  {58, 1, 16}, {63, 1, 8}};

// The layout of a DXGI_FORMAT.
DdsLayout of_dxgi(uint32_t format) {
    using enum SampleType;
    for (const auto& [number, channels, type] : integer_formats)
        if (number == format) return of_integers(channels, type);
    for (const auto& [number, channels, bits] : fraction_formats)
        if (number == format) return of_fractions(channels, bits);
    switch (format) {
        case 2: return of_samples(4, f32);
        case 6: return of_samples(3, f32);
        case 10: return of_samples(4, f16);
        case 11: return of_samples(4, u16);
        case 16: return of_samples(2, f32);
        case 24: return of_masks(32, {0x3ff, 0xffc00, 0x3ff00000}, 0xc0000000);
        case 28:
        case 29: return of_masks(32, {0xff, 0xff00, 0xff0000}, 0xff000000);
        case 34: return of_samples(2, f16);
        case 35: return of_masks(32, {0xffff, 0xffff0000}, 0);
        case 40:
        case 41: return of_samples(1, f32);
        case 49: return of_masks(16, {0xff, 0xff00}, 0);
        case 54: return of_samples(1, f16);
        case 55:
        case 56: return of_masks(16, {0xffff}, 0);
        case 61:
        case 65: return of_masks(8, {0xff}, 0);
        case 71:
        case 72: return of_block(DdsBlock::bc1);
        case 74:
        case 75: return of_block(DdsBlock::bc2);
        case 77:
        case 78: return of_block(DdsBlock::bc3);
        case 80: return of_block(DdsBlock::bc4);
        case 81: return of_block(DdsBlock::bc4_signed);
        case 83: return of_block(DdsBlock::bc5);
        case 84: return of_block(DdsBlock::bc5_signed);
        case 85: return of_masks(16, {0xf800, 0x7e0, 0x1f}, 0);
        case 86: return of_masks(16, {0x7c00, 0x3e0, 0x1f}, 0x8000);
        case 87:
        case 91: return of_masks(32, {0xff0000, 0xff00, 0xff}, 0xff000000);
        case 88:
        case 93: return of_masks(32, {0xff0000, 0xff00, 0xff}, 0);
        case 115: return of_masks(16, {0xf00, 0xf0, 0xf}, 0xf000);
        default: return of_unknown();
    }
}

// The layout for a code of four letters or a number of D3DFORMAT. DXT2 and DXT4 are premultiplied by definition.
DdsLayout of_four_letters(std::string_view letters, uint32_t number) {
    using enum SampleType;
    if (letters == "DXT1") return of_block(DdsBlock::bc1);
    if (letters == "DXT2") return of_block(DdsBlock::bc2, Alpha::premultiplied);
    if (letters == "DXT3") return of_block(DdsBlock::bc2);
    if (letters == "DXT4") return of_block(DdsBlock::bc3, Alpha::premultiplied);
    if (letters == "DXT5") return of_block(DdsBlock::bc3);
    if (letters == "ATI1" || letters == "BC4U") return of_block(DdsBlock::bc4);
    if (letters == "BC4S") return of_block(DdsBlock::bc4_signed);
    if (letters == "ATI2" || letters == "BC5U") return of_block(DdsBlock::bc5);
    if (letters == "BC5S") return of_block(DdsBlock::bc5_signed);
    switch (number) {
        case 36: return of_samples(4, u16);
        case 111: return of_samples(1, f16);
        case 112: return of_samples(2, f16);
        case 113: return of_samples(4, f16);
        case 114: return of_samples(1, f32);
        case 115: return of_samples(2, f32);
        case 116: return of_samples(4, f32);
        default: return of_unknown();
    }
}

DdsLayout of_dx10(ByteSpan file) {
    if (file.size() < header_bytes + dx10_bytes) throw_truncated(file.size(), "DDS");
    constexpr uint32_t volume = 4, cube = 4, premultiplied = 2, opaque = 3;
    DdsLayout layout = of_dxgi(le32(file, header_bytes));
    layout.header_bytes += dx10_bytes;
    layout.volume = le32(file, header_bytes + 4) == volume;
    const uint32_t layers = std::clamp<uint32_t>(le32(file, header_bytes + 12), 1, 1 << 16);
    layout.pictures = layers * (le32(file, header_bytes + 8) & cube ? 6 : 1);
    const uint32_t alpha = le32(file, header_bytes + 16) & 7;
    if (layout.alpha != Alpha::none && alpha == premultiplied) layout.alpha = Alpha::premultiplied;
    if (layout.alpha != Alpha::none && alpha == opaque) layout.opaque = true;
    return layout;
}

DdsLayout of_pixel_format(ByteSpan file) {
    constexpr uint32_t has_alpha = 1, alpha_only = 2, letters = 4, rgb = 0x40, luminance = 0x20000;
    const uint32_t flags = le32(file, 80), bits = le32(file, 88), alpha = flags & has_alpha ? le32(file, 104) : 0;
    if (flags & letters && text_of(file.subspan(84, 4)) == "DX10") return of_dx10(file);
    if (flags & letters) return of_four_letters(text_of(file.subspan(84, 4)), le32(file, 84));
    if (flags & luminance) return of_masks(bits, {le32(file, 92)}, alpha);
    if (flags & rgb) return of_masks(bits, {le32(file, 92), le32(file, 96), le32(file, 100)}, alpha);
    if (flags & alpha_only) return of_masks(bits, {le32(file, 104)}, 0);
    return of_unknown();
}

// Throws Error if the header is not whole.
DdsLayout dds_layout(ByteSpan file) {
    if (file.size() < header_bytes) throw_truncated(file.size(), "DDS");
    DdsLayout layout = of_pixel_format(file);
    constexpr uint32_t cube = 0x200, all_faces = 0xfc00, volume = 0x200000;
    const uint32_t caps = le32(file, 112);
    if (layout.pictures == 1 && caps & cube) layout.pictures = uint32_t(std::popcount(caps & all_faces));
    layout.pictures = std::max<uint32_t>(layout.pictures, 1);
    layout.volume = (layout.volume || caps & volume) && le32(file, 24) > 1;
    return layout;
}

using Pixels = std::array<float, 64>;
using Colour = std::array<float, 4>;

Colour colour_of(uint32_t packed) {
    return {float(packed >> 11) / 31, float(packed >> 5 & 63) / 63, float(packed & 31) / 31, 1};
}

Colour mixed(const Colour& a, const Colour& b, float of_b) {
    Colour result;
    for (size_t c = 0; c < 4; ++c) result[c] = a[c] + (b[c] - a[c]) * of_b;
    return result;
}

// `three`: a block whose first colour is not the greater one has three colours and transparent black.
void put_colours(ByteSpan bytes, bool three, Pixels& pixels) {
    const uint32_t first = le16(bytes, 0), second = le16(bytes, 2), indices = le32(bytes, 4);
    const Colour a = colour_of(first), b = colour_of(second);
    const bool four = !three || first > second;
    const std::array<Colour, 4> colours = {a, b, mixed(a, b, four ? 1.0f / 3 : 0.5f),
                                           four ? mixed(a, b, 2.0f / 3) : Colour{}};
    for (size_t i = 0; i < 16; ++i) std::ranges::copy(colours[indices >> 2 * i & 3], pixels.begin() + ptrdiff_t(4 * i));
}

// Unpacks one channel: two end values and those between them, with an index of three bits a pixel.
void put_ramp(ByteSpan bytes, bool with_sign, size_t channel, size_t channels, Pixels& pixels) {
    const auto end = [&](size_t at) {
        return with_sign ? float(std::max<int>(int8_t(byte_at(bytes, at)), -127)) / 127
                         : float(byte_at(bytes, at)) / 255;
    };
    const float a = end(0), b = end(1);
    const bool eight =
        with_sign ? int8_t(byte_at(bytes, 0)) > int8_t(byte_at(bytes, 1)) : byte_at(bytes, 0) > byte_at(bytes, 1);
    std::array<float, 8> values = {a, b};
    const int between = eight ? 6 : 4;
    for (int i = 1; i <= between; ++i)
        values[size_t(i) + 1] = (a * float(between + 1 - i) + b * float(i)) / float(between + 1);
    if (!eight) {
        values[6] = with_sign ? -1.0f : 0.0f;
        values[7] = 1;
    }
    const uint64_t indices = le32(bytes, 2) | uint64_t(le16(bytes, 6)) << 32;
    for (size_t i = 0; i < 16; ++i) pixels[i * channels + channel] = values[indices >> 3 * i & 7];
}

// The 16 pixels of a block, row by row, with the block's channels: in 0…1, or in −1…1 if signed.
Pixels unpacked(DdsBlock block, ByteSpan bytes) {
    Pixels pixels{};
    using enum DdsBlock;
    switch (block) {
        case bc1: put_colours(bytes, true, pixels); break;
        case bc2:
            put_colours(bytes.subspan(8), false, pixels);
            for (size_t i = 0; i < 16; ++i) pixels[4 * i + 3] = float(byte_at(bytes, i / 2) >> 4 * (i % 2) & 15) / 15;
            break;
        case bc3:
            put_colours(bytes.subspan(8), false, pixels);
            put_ramp(bytes, false, 3, 4, pixels);
            break;
        case bc4:
        case bc4_signed: put_ramp(bytes, is_signed(block), 0, 1, pixels); break;
        case bc5:
        case bc5_signed:
            put_ramp(bytes, is_signed(block), 0, 2, pixels);
            put_ramp(bytes.subspan(8), is_signed(block), 1, 2, pixels);
            break;
        case none: break;
    }
    return pixels;
}

class DdsRows {
public:
    DdsRows(const DdsLayout& layout, ByteSpan pixels, int width)
        : layout_(layout),
          pixels_(pixels),
          width_(size_t(width)),
          row_bytes_(size_t(layout.level_bytes(uint64_t(width), 1))) {}

    void write(int y, std::byte* to) {
        if (layout_.block != DdsBlock::none) return write_of_blocks(size_t(y), to);
        const ByteSpan row = pixels_.subspan(size_t(y) * row_bytes_, row_bytes_);
        if (layout_.fields.channels() > 0) layout_.fields.unpack(row, int(width_), to);
        else if (layout_.fractions) write_fractions(row, to);
        else std::memcpy(to, row.data(), row.size());
    }

private:
    void write_fractions(ByteSpan row, std::byte* to) const {
        const size_t count = width_ * size_t(layout_.channels), bytes = row.size() / count;
        for (size_t i = 0; i < count; ++i) {
            const float number = bytes == 1 ? float(int8_t(byte_at(row, i))) : float(int16_t(le16(row, 2 * i)));
            const float value = std::max(number / (bytes == 1 ? 127.0f : 32767.0f), -1.0f);
            to = std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, to);
        }
    }

    // Four rows are unpacked at once.
    void write_of_blocks(size_t y, std::byte* to) {
        const size_t blocks = (width_ + 3) / 4, block_bytes = bytes_of(layout_.block);
        if (y % 4 == 0) {
            unpacked_.clear();
            for (size_t i = 0; i < blocks; ++i)
                unpacked_.push_back(
                    unpacked(layout_.block, pixels_.subspan((y / 4 * blocks + i) * block_bytes, block_bytes)));
        }
        const size_t channels = size_t(layout_.channels);
        for (size_t x = 0; x < width_; ++x)
            for (size_t c = 0; c < channels; ++c) {
                const float value = unpacked_[x / 4][(y % 4 * 4 + x % 4) * channels + c];
                if (layout_.type == SampleType::u8) *to++ = std::byte(uint8_t(value * 255 + 0.5f));
                else to = std::copy_n(reinterpret_cast<const std::byte*>(&value), sizeof value, to);
            }
    }

    const DdsLayout& layout_;
    ByteSpan pixels_;
    size_t width_, row_bytes_;
    std::vector<std::array<float, 64>> unpacked_;
};

// The bytes of one picture with its smaller levels.
uint64_t picture_bytes(const DdsLayout& layout, uint64_t width, uint64_t height, uint32_t levels) {
    uint64_t bytes = 0;
    for (uint32_t level = 0; level < std::clamp<uint32_t>(levels, 1, 32); ++level)
        bytes += layout.level_bytes(std::max<uint64_t>(width >> level, 1), std::max<uint64_t>(height >> level, 1));
    return bytes;
}

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    const DdsLayout layout = dds_layout(content);
    if (layout.volume) throw Error("the file holds a volume, not a picture; store one slice");
    if (layout.unknown) return decode_others_by_oiio(file, content, target);
    const uint64_t height = le32(content, 12), width = le32(content, 16);
    check_dimensions(width, height, uint64_t(layout.channels), layout.type);
    const PictureShape stored{int(width), int(height), layout.channels, layout.type, layout.alpha};
    ChosenPicture picture = chosen_picture(file.choice, stored, int(layout.pictures), 1);
    if (layout.opaque && file.choice.channels.empty()) {
        picture.channels = {{0, 1, 2}, false};
        picture.facts.channels = picture.channels.which;
    }
    const uint64_t begin =
        layout.header_bytes + uint64_t(picture.facts.part) * picture_bytes(layout, width, height, le32(content, 28));
    const ByteSpan pixels = content.subspan(std::min<uint64_t>(begin, content.size()));
    const uint64_t together = layout.block == DdsBlock::none ? 1 : 4;  // rows
    const uint64_t there =
        rows_present(pixels.size(), layout.level_bytes(width, 1), width, (height + together - 1) / together);
    DdsRows rows(layout, pixels, int(width));
    deliver_rows(
        picture, stored, target, [&](int y, std::byte* to) { rows.write(y, to); },
        missing_rows(int(std::min(there * together, height)), int(height), false));
}

}  // namespace

extern const Codec dds_codec;
constinit const Codec dds_codec = helped_by_oiio({
    .name = "DDS",
    .extensions = "dds",
    .samples =
        "8 and 16 bits, half, float and integers as stored; fewer bits and BC1 to BC5 as 8, signed fractions as float; "
        "straight alpha, premultiplied in DXT2 and DXT4; BC6H and BC7 need OpenImageIO",
    .signatures = {{{0, "DDS "}}},
    .decode = decode,
    .oiio = "dds",
});

}  // namespace texelscope
