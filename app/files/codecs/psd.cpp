// Adobe Photoshop File Formats Specification.

#include "app/files/codecs/damage.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/stb.h"

namespace texelscope {

extern const Codec psd_codec;
constinit const Codec psd_codec{
    .name = "PSD",
    .extensions = "psd",
    .samples = "8 and 16 bits as stored",
    .signatures = {{{0, "8BPS"}}},
    .modules = module_of_oiio,
    .check = TEXELSCOPE_WITH_OIIO ? nullptr : check_psd,
    .decode = TEXELSCOPE_WITH_OIIO ? decode_by_oiio : decode_with_stb,
    .oiio = "psd",
};

}  // namespace texelscope
