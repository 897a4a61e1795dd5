// The module's only entry point, which app/files/codecs/oiio_module.h describes.

#include <string_view>

#include "app/files/codecs/oiio/oiio_files.h"
#include "app/files/codecs/oiio/oiio_metadata.h"
#include "app/files/codecs/oiio_module.h"

// Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OiioModule* texelscope_oiio(const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    prepare_oiio();
    static constexpr OiioModule module{decode_with_oiio, oiio_reads_memory, prepare_dicom, encode_with_oiio, oiio_rows};
    return &module;
}
