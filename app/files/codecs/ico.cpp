// Windows icons: https://learn.microsoft.com/windows/win32/menurc/resource-file-formats

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec ico_codec;
constinit const Codec ico_codec{
    .name = "ICO",
    .extensions = "ico",
    .samples = "8 bits, straight alpha",
    .signatures = {{{0, "\0\0\1\0"sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "ico",
};

}  // namespace texelscope
