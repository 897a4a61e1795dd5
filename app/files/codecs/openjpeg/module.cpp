// The module's only entry point, which app/files/codecs/openjpeg_module.h describes.

#include <string_view>

#include "app/files/codecs/openjpeg/jp2_regions.h"
#include "app/files/codecs/openjpeg_module.h"

// Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OpenJpegModule* texelscope_openjpeg(
    const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr OpenJpegModule module{jp2_regions, decode_jp2};
    return &module;
}
