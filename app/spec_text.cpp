#include "app/spec_text.h"

#include <fmt/format.h>

namespace texelscope {

std::string words(const MethodSpec& spec) {
    std::string text(spec.method->name);
    if (spec.method->has_prefilter())
        text += " · " + (spec.prefilter.kind == Prefilter::Kind::none ? "no prefilter" : to_string(spec.prefilter));
    return text + fmt::format(" · {}", name_of(spec.path));
}

}  // namespace texelscope
