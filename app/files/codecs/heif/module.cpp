// The module's only entry point, which app/files/codecs/heif_module.h describes.

#include <string_view>

#include "app/files/codecs/heif/heif_files.h"
#include "app/files/codecs/heif_module.h"

// The functions of the module; null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::HeifModule* texelscope_heif(const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    prepare_heif();
    static constexpr HeifModule module{decode_heif, bits_of_heif};
    return &module;
}
