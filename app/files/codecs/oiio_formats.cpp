// Formats that only OpenImageIO reads, with nothing of ours to add.

#include "app/files/codecs/modules.h"

using namespace std::string_view_literals;

namespace texelscope {

// Raw files of cameras, as LibRaw in OpenImageIO develops them.

extern const Codec camera_raw_codec;
constinit const Codec camera_raw_codec = read_by_oiio({
    .name = "camera raw",
    .extensions = "dng cr2 cr3 nef arw orf rw2 raf pef srw",
    .samples = "developed to 16 bits, gamma-coded",
    .looks_like = "TIFF",
    .oiio = "raw",
});

// Maya IFF (FOR4 CIMG).

extern const Codec iff_codec;
constinit const Codec iff_codec = read_by_oiio({
    .name = "IFF",
    .extensions = "iff",
    .samples = "Maya's files (FOR4, CIMG), not ILBM: 8 and 16 bits; straight alpha",
    .signatures = {{{8, "CIMG"sv}}},
    .oiio = "iff",
});

}  // namespace texelscope
