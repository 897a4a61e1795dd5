// OpenEXR: https://openexr.com/en/latest/OpenEXRFileLayout.html

#include "app/files/codecs/oiio_module.h"

namespace texelscope {

extern const Codec openexr_codec;
constinit const Codec openexr_codec{
    .name = "OpenEXR",
    .extensions = "exr",
    .samples = "16- and 32-bit floats as stored",
    .signatures = {{{0, "v/1\x01"}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .open_regions = with_oiio(regions_by_oiio),
    .oiio = "openexr",
    .writing = {.types = holds_f16 | holds_f32,
                .channels = "1234",
                .alpha = Alpha::premultiplied,
                .encode = with_oiio(encode_by_oiio),
                .linear = true},
};

}  // namespace texelscope
