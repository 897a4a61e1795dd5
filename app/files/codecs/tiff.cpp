#include "app/files/codecs/modules.h"

#include "app/files/codecs/codec.h"
#include "app/files/codecs/oiio_module.h"

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

const TiffModule& tiff_module() {
    static const LoadedModule loaded =
        TEXELSCOPE_WITH_TIFF ? load_module("texelscope_tiff") : LoadedModule{nullptr, "this build does not have it"};
    return *static_cast<const TiffModule*>(functions_of(loaded, "libtiff"));
}

}  // namespace texelscope
