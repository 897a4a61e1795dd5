#include "app/files/codecs/modules.h"

namespace texelscope {

// OpenEXR: https://openexr.com/en/latest/OpenEXRFileLayout.html
const OpenExrModule& openexr_module() {
    return module_named<OpenExrModule>("texelscope_openexr", TEXELSCOPE_WITH_OPENEXR, "OpenEXR");
}

namespace {

[[maybe_unused]] void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    openexr_module().decode(file, content, target);
}

[[maybe_unused]] std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    return openexr_module().open_regions(file);
}

[[maybe_unused]] std::vector<MetadataRow> rows_of_header(ByteSpan file, int part) {
    return openexr_module().describe(file, part);
}

}  // namespace

extern const Codec openexr_codec;
constinit const Codec openexr_codec{
    .name = "OpenEXR",
    .extensions = "exr",
    .samples =
        "16- and 32-bit floats and unsigned 32-bit integers as stored, mixed ones as 32- or 64-bit floats; luminance "
        "and chroma as R, G and B",
    .signatures = {{{0, "v/1\x01"}}},
    .library = "OpenEXR",
    .package = "libopenexr-dev",
    .modules = TEXELSCOPE_WITH_OPENEXR ? of_openexr : 0,
    .decode = TEXELSCOPE_WITH_OPENEXR ? decode : nullptr,
    .open_regions = TEXELSCOPE_WITH_OPENEXR ? open_regions : nullptr,
    .describe = TEXELSCOPE_WITH_OPENEXR ? rows_of_header : nullptr,
    .oiio = "openexr",
    .more_in_oiio = [](ByteSpan) { return false; },
    .writing = {.types = holds_f16 | holds_f32,
                .channels = "1234",
                .alpha = Alpha::premultiplied,
                .encode = with_oiio(encode_by_oiio),
                .linear = true},
};

}  // namespace texelscope
