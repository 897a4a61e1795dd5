// Raw files of cameras, as LibRaw in OpenImageIO develops them.

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec camera_raw_codec;
constinit const Codec camera_raw_codec{
    .name = "camera raw",
    .extensions = "dng cr2 cr3 nef arw orf rw2 raf pef srw",
    .samples = "developed to 16 bits, gamma-coded",
    .looks_like = "TIFF",
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "raw",
};

}  // namespace texelscope
