#include "app/files/codecs/oiio_module.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/modules.h"

using namespace std::string_view_literals;

namespace texelscope {

// APP13 with IPTC, APP1 with XMP, or EXIF data with notes that only the library reads.
bool has_segments_for_oiio(ByteSpan jpeg) {
    for (size_t at = 2; at + 4 <= jpeg.size();) {
        const uint32_t marker = byte_at(jpeg, at + 1), length = be16(jpeg, at + 2);
        if (marker == 0xff) {  // a filling byte
            ++at;
            continue;
        }
        if (byte_at(jpeg, at) != 0xff || marker == 0xda || marker == 0xd9 || length < 2) return false;
        const ByteSpan rest = jpeg.subspan(at + 4);
        const std::string_view data = text_of(rest.first(std::min<size_t>(length - 2, rest.size())));
        if (marker == 0xed) return true;
        if (marker == 0xe1 && (!data.starts_with("Exif\0"sv) || data.find("Canon") != data.npos)) return true;
        at += 2 + size_t(length);
    }
    return false;
}

// The flags of an extended header.
bool has_chunks_for_oiio(ByteSpan webp) {
    constexpr uint32_t animation = 2, xmp = 4;
    return webp.size() > 20 && text_of(webp.subspan(12, 4)) == "VP8X" && (byte_at(webp, 20) & (animation | xmp)) != 0;
}

const OiioModule& oiio_module() {
    static const LoadedModule loaded =
        TEXELSCOPE_WITH_OIIO ? load_module("texelscope_oiio") : LoadedModule{nullptr, "this build does not have it"};
    return *static_cast<const OiioModule*>(functions_of(loaded, "OpenImageIO"));
}

void decode_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    oiio_module().decode(codec_of(file), file, content, target);
}

void decode_others_by_oiio(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    if (!TEXELSCOPE_WITH_OIIO)
        throw Error(
            fmt::format("{} files of this kind need OpenImageIO, which this build does not have; install "
                        "libopenimageio-dev and build again",
                        codec_of(file).name));
    decode_by_oiio(file, content, target);
}

void encode_by_oiio(const Codec& codec, const RowSource& image, OutputFile& file) {
    oiio_module().encode(codec, image, file);
}

bool oiio_opens_file(const Codec& codec) {
    try {
        return !oiio_module().reads_memory(codec);
    } catch (const Error&) {  // `decode` reports it
        return false;
    }
}

bool described_by_oiio(const Codec& codec, ByteSpan content) {
    if (!TEXELSCOPE_WITH_OIIO || codec.oiio.empty()) return false;
    return !codec.more_in_oiio || codec.more_in_oiio(content.first(std::min(content.size(), head_for_oiio)));
}

}  // namespace texelscope
