// JPEG 2000: ISO/IEC 15444-1.

#include <fmt/format.h>

#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/openjpeg_module.h"
#include "app/files/decoding/not_in_parts.h"

using namespace std::string_view_literals;

namespace texelscope {
namespace {

[[maybe_unused]] void decode_without_oiio(const EncodedFile& file, ByteSpan, DecodingTarget& target) {
    try {
        openjpeg_module().decode(file, target);
    } catch (const NotInParts& why) {
        throw Error(
            fmt::format("such JPEG 2000 files need OpenImageIO, which this build does not have ({})", why.what()));
    }
}

[[maybe_unused]] std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    const OpenJpegModule* module = nullptr;
    try {
        module = &openjpeg_module();
    } catch (const Error& error) {  // it can still be read as a whole
        throw NotInParts(error.what());
    }
    return module->open_regions(file);
}

}  // namespace

extern const Codec jpeg2000_codec;
constinit const Codec jpeg2000_codec{
    .name = "JPEG 2000",
    .extensions = "jp2 j2k j2c jpx",
    .samples = "8 and 16 bits as stored, straight alpha",
    .signatures = {{{4, "jP  \r\n\x87\n"sv}, {0, "\xff\x4f\xff\x51"sv}}},
    .modules = module_of_oiio | (TEXELSCOPE_WITH_OPENJPEG ? of_openjpeg : 0),
    .decode = TEXELSCOPE_WITH_OIIO       ? decode_by_oiio
              : TEXELSCOPE_WITH_OPENJPEG ? decode_without_oiio
                                         : nullptr,
    .opens_file = with_oiio(oiio_opens_file),
    .open_regions = TEXELSCOPE_WITH_OPENJPEG ? open_regions : nullptr,
    .oiio = "jpeg2000",
};

}  // namespace texelscope
