#include "app/text/spec_words.h"

#include <fmt/format.h>

namespace texelscope {

std::string name_in_text(const MethodInfo& method) {
    std::string name(method.name);
    for (const std::string_view common : {"Bicubic", "Bilinear", "Cubic", "Nearest", "Quintic", "Spline"})
        if (name.starts_with(common)) name[0] = char(name[0] - 'A' + 'a');  // not a person's name
    return name;
}

std::string words_without_path(const MethodSpec& spec) {
    std::string text(spec.method->name);
    if (!spec.method->has_prefilter()) return text;
    if (spec.prefilter.kind == Prefilter::Kind::none) return text + " · no prefilter";
    return text + " · " + to_string(spec.prefilter) + (spec.prefilter.half_float ? " half" : "");
}

std::string words(const MethodSpec& spec) {
    return words_without_path(spec) + fmt::format(" · {}", name_of(spec.path));
}

std::string words(const Warp& warp) {
    const WarpInfo info = info_of(warp.kind);
    if (warp.kind == Warp::Kind::none) return std::string(info.name);
    const std::string unit = info.unit == "degrees" ? "°" : info.unit.empty() ? "" : fmt::format(" {}", info.unit);
    return fmt::format("{} {:.4g}{}", info.name, warp.strength, unit);
}

}  // namespace texelscope
