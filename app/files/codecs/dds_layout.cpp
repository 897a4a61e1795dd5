#include "app/files/codecs/dds_layout.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace texelscope {
namespace {

constexpr size_t header_bytes = 128, dx10_bytes = 20;

DdsLayout of_samples(int channels, SampleType type) {
    DdsLayout layout;
    layout.channels = channels;
    layout.type = type;
    layout.alpha = channels == 4 ? Alpha::straight : Alpha::none;
    layout.bits = uint32_t(8 * channels * bytes_per_sample(type));
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

// The layout of a DXGI_FORMAT.
DdsLayout of_dxgi(uint32_t format) {
    using enum SampleType;
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
        case 41: return of_samples(1, f32);
        case 49: return of_masks(16, {0xff, 0xff00}, 0);
        case 54: return of_samples(1, f16);
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

}  // namespace

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

}  // namespace texelscope
