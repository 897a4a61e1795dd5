// Kodak, Cineon Image File Format Draft.

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec cineon_codec;
constinit const Codec cineon_codec{
    .name = "Cineon",
    .extensions = "cin",
    .samples = "10 bits as 16",
    .signatures = {{{0, "\x80\x2a\x5f\xd7"sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "cineon",
};

}  // namespace texelscope
