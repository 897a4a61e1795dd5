// Microsoft, Programming Guide for DDS.

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec dds_codec;
constinit const Codec dds_codec{
    .name = "DDS",
    .extensions = "dds",
    .samples = "8 bits; compressed blocks are decompressed",
    .signatures = {{{0, "DDS "sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "dds",
};

}  // namespace texelscope
