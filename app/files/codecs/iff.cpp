// Maya IFF (FOR4 CIMG).

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec iff_codec;
constinit const Codec iff_codec{
    .name = "IFF",
    .extensions = "iff",
    .samples = "Maya's files (FOR4, CIMG), not ILBM: 8 and 16 bits; straight alpha",
    .signatures = {{{8, "CIMG"sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "iff",
};

}  // namespace texelscope
