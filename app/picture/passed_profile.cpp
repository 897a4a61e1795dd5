#include "app/picture/passed_profile.h"

#include <fmt/format.h>

#include "app/files/reading/profile_question.h"
#include "app/files/writing/fit.h"

namespace texelscope {

std::string pass_profile(const std::shared_ptr<const ColourProfile>& profile, RowSource& result,
                         const std::filesystem::path& path) {
    const int colours = result.channels - (result.alpha != Alpha::none ? 1 : 0);
    if (!profile || (colours != 1 && colours != 3)) return {};
    const ProfileConversion meaning = ask_conversion(*profile, colours, {});
    if (!meaning.problem.empty()) return {};  // its colours have always been shown as stored
    result.profile = profile;
    if (meaning.conversion.kind == ColourConversion::Kind::none || carries_profile(path, result)) return {};
    return fmt::format("the stored values are written, but not what the input says of their colours ({})",
                       meaning.name);
}

std::string pass_profile(const Image& source, Image& result, const std::filesystem::path& path) {
    RowSource rows = rows_of(result);
    std::string lost = pass_profile(source.profile(), rows, path);
    result.set_profile(rows.profile);
    return lost;
}

}  // namespace texelscope
