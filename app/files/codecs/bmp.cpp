// BMP, as Windows defines it: https://learn.microsoft.com/windows/win32/gdi/bitmap-storage

#include "app/files/codecs/damage.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/stb.h"

namespace texelscope {

extern const Codec bmp_codec;
constinit const Codec bmp_codec{
    .name = "BMP",
    .extensions = "bmp dib",
    .samples = "8 bits",
    .signatures = {{{0, "BM"}}},
    .modules = module_of_oiio,
    .check = check_bmp,
    .decode = TEXELSCOPE_WITH_OIIO ? decode_by_oiio : decode_with_stb,
    .oiio = "bmp",
    .writing = {.types = holds_u8,
                .channels = "3",
                .encode = TEXELSCOPE_WITH_OIIO ? encode_by_oiio : encode_with_stb,
                .most_gibibytes = TEXELSCOPE_WITH_OIIO ? 4 : 1},
};

}  // namespace texelscope
