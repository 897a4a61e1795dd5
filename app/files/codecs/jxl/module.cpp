// The module's only entry point, which app/files/codecs/jxl_module.h describes.

#include <string_view>

#include "app/files/codecs/jxl/jxl_files.h"
#include "app/files/codecs/jxl_module.h"

// Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::JxlModule* texelscope_jxl(const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr JxlModule module{decode_jxl};
    return &module;
}
