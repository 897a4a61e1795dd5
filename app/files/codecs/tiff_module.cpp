#include "app/files/codecs/tiff_module.h"

#include "app/files/codecs/modules.h"

namespace texelscope {

const TiffModule& tiff_module() {
    static const LoadedModule loaded =
        TEXELSCOPE_WITH_TIFF ? load_module("texelscope_tiff") : LoadedModule{nullptr, "this build does not have it"};
    return *static_cast<const TiffModule*>(functions_of(loaded, "libtiff"));
}

}  // namespace texelscope
