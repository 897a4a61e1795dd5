#include "app/files/codecs/modules.h"

#include <fmt/format.h>

#include "app/files/decoding/decoder.h"

using namespace std::string_view_literals;

namespace texelscope {
namespace {

// JPEG 2000: ISO/IEC 15444-1.
const OpenJpegModule& module_for_parts() {
    try {
        return openjpeg_module();
    } catch (const Error& error) {  // it can still be read as a whole
        throw NotInParts(error.what());
    }
}

[[maybe_unused]] std::unique_ptr<const TileSource> open_regions(const EncodedFile& file) {
    return module_for_parts().open_regions(file);
}

// The samples of a region and of the whole are the same wherever both can be read.
[[maybe_unused]] void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    try {
        module_for_parts().decode(file, target);
    } catch (const NotInParts& why) {
        if (TEXELSCOPE_WITH_OIIO) return decode_by_oiio(file, content, target);
        throw Error(
            fmt::format("such JPEG 2000 files need OpenImageIO, which this build does not have ({})", why.what()));
    }
}

}  // namespace

extern const Codec jpeg2000_codec;
constinit const Codec jpeg2000_codec{
    .name = "JPEG 2000",
    .extensions = "jp2 j2k j2c jpx",
    .samples =
        "1 to 16 bits as 8 or 16, so that the largest value is 1; signed ones as numbers; alpha straight or "
        "premultiplied as its box says",
    .signatures = {{{4, "jP  \r\n\x87\n"sv}, {0, "\xff\x4f\xff\x51"sv}}},
    .modules = module_of_oiio | (TEXELSCOPE_WITH_OPENJPEG ? of_openjpeg : 0),
    .decode = TEXELSCOPE_WITH_OPENJPEG ? decode : with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .open_regions = TEXELSCOPE_WITH_OPENJPEG ? open_regions : nullptr,
    .oiio = "jpeg2000",
};

const OpenJpegModule& openjpeg_module() {
    return module_named<OpenJpegModule>("texelscope_openjpeg", TEXELSCOPE_WITH_OPENJPEG, "OpenJPEG");
}

}  // namespace texelscope
