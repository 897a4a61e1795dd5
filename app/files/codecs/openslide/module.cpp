// The module's only entry point, which app/files/codecs/openslide_module.h describes.

#include <string_view>

#include "app/files/codecs/openslide/slide_files.h"
#include "app/files/codecs/openslide_module.h"

// Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OpenSlideModule* texelscope_openslide(
    const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr OpenSlideModule module{is_slide, slide_regions, decode_slide};
    return &module;
}
