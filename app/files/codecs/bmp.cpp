// BMP of Windows and OS/2. The fourth byte of plain pixels is alpha, as many programs store it, unless the header has a mask
// that leaves it out; alpha that is 0 everywhere is none; pixels that runs leave out have index 0.

#include "app/files/bytes/rows.h"
#include "app/files/codecs/dib.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/stb.h"

namespace texelscope {

namespace {

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    constexpr size_t file_header = 14;
    if (content.size() < file_header) throw_truncated(content.size(), "BMP");
    const uint64_t pixels = le32(content, 10);
    const Dib picture(content.subspan(file_header), pixels < file_header ? 0 : pixels - file_header, Dib::Use::file);
    deliver_single(
        file.choice, picture.shape(), 1, target, [&](int y, std::byte* to) { picture.row(y, to); }, picture.missing());
}

}  // namespace

extern const Codec bmp_codec;
constinit const Codec bmp_codec{
    .name = "BMP",
    .extensions = "bmp dib",
    .samples =
        "8 bits, 16 if a mask has more than 8; palettes as 8; straight alpha if a fourth byte or a mask has it and it is not "
        "0 everywhere",
    .signatures = {{{0, "BM"}}},
    .decode = decode,
    .oiio = "bmp",
    .writing = {.types = holds_u8,
                .channels = "3",
                .encode = TEXELSCOPE_WITH_OIIO ? encode_by_oiio : encode_with_stb,
                .most_gibibytes = TEXELSCOPE_WITH_OIIO ? 4 : 1},
};

}  // namespace texelscope
