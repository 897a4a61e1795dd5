// TIFF 6.0 and BigTIFF.

#include "app/files/codecs/damage.h"
#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec tiff_codec;
constinit const Codec tiff_codec{
    .name = "TIFF",
    .extensions = "tif tiff",
    .samples = "8 and 16 bits, 16- and 32-bit floats as stored; others as 32-bit floats",
    .signatures = {{{0, "II*\0"sv}, {0, "MM\0*"sv}, {0, "II+\0"sv}, {0, "MM\0+"sv}}},
    .modules = module_of_oiio,
    .check = [](ByteSpan file) { check_tiff(file); },
    .decode = with_oiio(decode_by_oiio),
    .open_regions = with_oiio(regions_by_oiio),
    .oiio = "tiff",
    .writing = {.types = holds_u8 | holds_u16 | holds_f32,
                .channels = "1234",
                .alpha = Alpha::straight,
                .encode = with_oiio(encode_by_oiio),
                .icc = true},
};

}  // namespace texelscope
