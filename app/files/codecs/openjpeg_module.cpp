#include "app/files/codecs/openjpeg_module.h"

#include "app/files/codecs/modules.h"

namespace texelscope {

const OpenJpegModule& openjpeg_module() {
    static const LoadedModule loaded = TEXELSCOPE_WITH_OPENJPEG ? load_module("texelscope_openjpeg")
                                                                : LoadedModule{nullptr, "this build does not have it"};
    return *static_cast<const OpenJpegModule*>(functions_of(loaded, "OpenJPEG"));
}

}  // namespace texelscope
