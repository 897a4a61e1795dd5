// Radiance HDR: https://radsite.lbl.gov/radiance/refer/filefmts.pdf

#include "app/files/codecs/damage.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/stb.h"

namespace texelscope {

extern const Codec radiance_codec;
constinit const Codec radiance_codec{
    .name = "Radiance HDR",
    .extensions = "hdr rgbe",
    .samples = "32-bit floats, of 8 bits each with a common exponent",
    .signatures = {{{0, "#?RADIANCE"}, {0, "#?RGBE"}}},
    .modules = module_of_oiio,
    .check = TEXELSCOPE_WITH_OIIO ? nullptr : check_hdr,
    .decode = TEXELSCOPE_WITH_OIIO ? decode_by_oiio : decode_with_stb,
    .oiio = "hdr",
    .writing = {.types = holds_f32,
                .channels = "3",
                .encode = TEXELSCOPE_WITH_OIIO ? encode_by_oiio : encode_with_stb,
                .linear = true,
                .positive = true,
                .most_gibibytes = TEXELSCOPE_WITH_OIIO ? 0 : 1},
};

}  // namespace texelscope
