// Paul Haeberli, The SGI Image File Format, version 1.00.

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec sgi_codec;
constinit const Codec sgi_codec{
    .name = "SGI",
    .extensions = "sgi rgb rgba bw",
    .samples = "8 and 16 bits",
    .signatures = {{{0, "\x01\xda"sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "sgi",
};

}  // namespace texelscope
