// FITS Standard 4.0, https://fits.gsfc.nasa.gov/fits_standard.html

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec fits_codec;
constinit const Codec fits_codec{
    .name = "FITS",
    .extensions = "fits fit",
    .samples = "as stored",
    .signatures = {{{0, "SIMPLE  ="sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "fits",
};

}  // namespace texelscope
