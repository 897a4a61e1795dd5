#include "app/files/codecs/jxl_module.h"

#include "app/files/codecs/modules.h"

namespace texelscope {

const JxlModule& jxl_module() {
    static const LoadedModule loaded =
        TEXELSCOPE_WITH_JXL ? load_module("texelscope_jxl") : LoadedModule{nullptr, "this build does not have it"};
    return *static_cast<const JxlModule*>(functions_of(loaded, "libjxl"));
}

}  // namespace texelscope
