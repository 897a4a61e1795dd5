// DDS, surfaces of DirectDraw and Direct3D: masks, luminance, 16 bits, floats, blocks BC1 to BC5; BC6H and BC7 through
// OpenImageIO. Faces of a cube map and pictures of an array are parts; only the largest of several levels is read.
#include <algorithm>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/picture_rows.h"
#include "app/files/codecs/dds_layout.h"
#include "app/files/codecs/oiio_module.h"

namespace texelscope {
namespace {

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
        else std::memcpy(to, row.data(), row.size());
    }

private:
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
constinit const Codec dds_codec{
    .name = "DDS",
    .extensions = "dds",
    .samples =
        "8 and 16 bits, half and float as stored; fewer bits and BC1 to BC5 as 8, signed ones as float; straight alpha, "
        "premultiplied in DXT2 and DXT4; BC6H and BC7 need OpenImageIO",
    .signatures = {{{0, "DDS "}}},
    .modules = module_of_oiio,
    .decode = decode,
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "dds",
};

}  // namespace texelscope
