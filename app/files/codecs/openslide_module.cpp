#include "app/files/codecs/openslide_module.h"

#include "app/files/codecs/modules.h"

namespace texelscope {

const OpenSlideModule& openslide_module() {
    static const LoadedModule loaded = TEXELSCOPE_WITH_OPENSLIDE ? load_module("texelscope_openslide")
                                                                 : LoadedModule{nullptr, "this build does not have it"};
    return *static_cast<const OpenSlideModule*>(functions_of(loaded, "OpenSlide"));
}

}  // namespace texelscope
