#include "app/files/jxl_module.h"

#include <fmt/format.h>

#include "app/files/modules.h"

namespace texelscope {

const JxlModule& jxl_module() {
    static const LoadedModule loaded =
        TEXELSCOPE_WITH_JXL ? load_module("texelscope_jxl") : LoadedModule{nullptr, "this build does not have it"};
    if (!loaded.functions)
        throw Error(fmt::format("libjxl, which such files need, cannot be loaded ({})", loaded.problem));
    return *static_cast<const JxlModule*>(loaded.functions);
}

}  // namespace texelscope
