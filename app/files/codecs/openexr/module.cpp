// The module's only entry point, which app/files/codecs/modules.h describes.

#include <string_view>

#include "app/files/codecs/modules.h"
#include "app/files/codecs/openexr/exr_files.h"

// The functions of the module; null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OpenExrModule* texelscope_openexr(
    const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr OpenExrModule module{decode_exr, describe_exr, exr_regions};
    return &module;
}
