#include "app/picture/passed_profile.h"

#include <fmt/format.h>

#include "app/files/profile_question.h"
#include "app/files/written_profile.h"

namespace texelscope {

std::string pass_profile(const Image& source, Image& result, const std::filesystem::path& path) {
    const int colours = result.channels() - (result.alpha() != Alpha::none ? 1 : 0);
    if (!source.profile() || (colours != 1 && colours != 3)) return {};
    const ProfileConversion meaning = ask_conversion(*source.profile(), colours, {});
    if (!meaning.problem.empty()) return {};  // its colours have always been shown as stored
    result.set_profile(source.profile());
    if (meaning.conversion.kind == ColourConversion::Kind::none || carries_profile(path, result)) return {};
    return fmt::format("the stored values are written, but not what the input says of their colours ({})",
                       meaning.name);
}

}  // namespace texelscope
