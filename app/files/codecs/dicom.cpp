// DICOM PS3.10.

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec dicom_codec;
constinit const Codec dicom_codec{
    .name = "DICOM",
    .extensions = "dcm",
    .samples = "8 and 16 bits as stored",
    .signatures = {{{128, "DICM"sv}}},
    .modules = module_of_oiio,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "dicom",
};

}  // namespace texelscope
