// SMPTE ST 268:2014, the file format for digital moving-picture exchange (DPX).

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec dpx_codec;
constinit const Codec dpx_codec{
    .name = "DPX",
    .extensions = "dpx",
    .samples = "8 to 16 bits",
    .signatures = {{{0, "SDPX"sv}, {0, "XPDS"sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "dpx",
};

}  // namespace texelscope
