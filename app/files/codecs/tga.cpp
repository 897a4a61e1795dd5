// Truevision TGA File Format Specification, version 2.0.

#include "app/files/codecs/damage.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/stb.h"

namespace texelscope {

extern const Codec tga_codec;
constinit const Codec tga_codec{
    .name = "TGA",
    .extensions = "tga",
    .samples = "8 bits",
    .modules = module_of_oiio,
    .check = check_tga,
    .decode = TEXELSCOPE_WITH_OIIO ? decode_by_oiio : decode_with_stb,
    .oiio = "targa",
    .writing = {.types = holds_u8,
                .channels = "134",
                .alpha = Alpha::straight,
                .encode = TEXELSCOPE_WITH_OIIO ? encode_by_oiio : encode_with_stb,
                .fourth_is_alpha = true,
                .most_side = 65535,
                .most_gibibytes = TEXELSCOPE_WITH_OIIO ? 4 : 1},
};

}  // namespace texelscope
