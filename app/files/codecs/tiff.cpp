#include "app/files/codecs/codecs.h"

#include "app/files/codecs/modules.h"

namespace texelscope {

TiffLayout tiff_layout(const RowSource& picture) {
    constexpr uint64_t tiled_from = uint64_t(1) << 26, most_held = uint64_t(1) << 27;
    constexpr int tile = 256, lowest = 16;
    // Deflate adds less than a thousandth to what it cannot compress; tables and profile are small beside the rest.
    constexpr uint64_t most_in_classic = (uint64_t(1) << 32) - (uint64_t(1) << 27);
    TiffLayout layout;
    const uint64_t row_bytes = picture.row_bytes(), bytes = row_bytes * uint64_t(picture.height);
    if (bytes < tiled_from) return layout;
    layout.tile_width = layout.tile_height = tile;
    while (layout.tile_height > lowest && row_bytes * uint64_t(layout.tile_height) > most_held) layout.tile_height /= 2;
    const auto whole = [](int side, int step) {
        return (uint64_t(side) + uint64_t(step) - 1) / uint64_t(step) * uint64_t(step);
    };
    const uint64_t pixel = row_bytes / uint64_t(picture.width);
    layout.big = whole(picture.width, tile) * whole(picture.height, layout.tile_height) * pixel > most_in_classic;
    return layout;
}

}  // namespace texelscope

using namespace std::string_view_literals;

namespace texelscope {
namespace {

// TIFF 6.0 and BigTIFF.
[[maybe_unused]] void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    tiff_module().decode(file, content, target);
}

[[maybe_unused]] std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    return tiff_module().open_regions(file);
}

[[maybe_unused]] std::vector<MetadataRow> rows_of_samples(ByteSpan file, int part) {
    return tiff_module().describe(file, part);
}

}  // namespace

extern const Codec tiff_codec;
constinit const Codec tiff_codec{
    .name = "TIFF",
    .extensions = "tif tiff",
    .samples =
        "integers of 1 to 16 bits as 8 or 16 bits, all others and floats as the numbers that they are; palettes, "
        "CMYK, Lab, YCbCr and LogLuv as RGB",
    .signatures = {{{0, "II*\0"sv}, {0, "MM\0*"sv}, {0, "II+\0"sv}, {0, "MM\0+"sv}}},
    .library = "libtiff",
    .package = "libtiff-dev",
    .modules = TEXELSCOPE_WITH_TIFF ? of_libtiff : 0,
    .decode = TEXELSCOPE_WITH_TIFF ? decode : nullptr,
    .open_regions = TEXELSCOPE_WITH_TIFF ? open_regions : nullptr,
    .oiio = "tiff",
    .texts = TEXELSCOPE_WITH_TIFF ? rows_of_samples : nullptr,
    .writing = {.types = holds_u8 | holds_u16 | holds_f32,
                .channels = "1234",
                .alpha = Alpha::straight,
                .encode = with_oiio(encode_by_oiio),
                .icc = true},
};

const TiffModule& tiff_module() { return module_named<TiffModule>("texelscope_tiff", TEXELSCOPE_WITH_TIFF, "libtiff"); }

}  // namespace texelscope
