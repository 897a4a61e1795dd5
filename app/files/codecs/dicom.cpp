// DICOM PS3.10.

#include "app/files/codecs/oiio_module.h"

using namespace std::string_view_literals;

namespace texelscope {

extern const Codec dicom_codec;
constinit const Codec dicom_codec{
    .name = "DICOM",
    .extensions = "dcm",
    .samples = "8 bits; 9 to 16 bits as 16, in which the largest number is 1; MONOCHROME1 is inverted",
    .signatures = {{{128, "DICM"sv}}},
    .modules = TEXELSCOPE_WITH_OIIO ? of_oiio | of_dicom_terms : 0,
    .decode = with_oiio(decode_by_oiio),
    .opens_file = with_oiio(oiio_opens_file),
    .oiio = "dicom",
};

}  // namespace texelscope
