#include "app/files/writing/written_profile.h"

#include "gpu/core/colour_profile.h"

namespace texelscope {

std::shared_ptr<const ColourProfile> written_profile(const Codec& codec, const RowSource& picture) {
    constexpr size_t header = 128, space_at = 16;
    const ColourProfile* profile = picture.profile.get();
    if (!codec.writing.icc || !profile || profile->applied || profile->icc.size() < header) return nullptr;
    const int colours = picture.channels - (picture.alpha != Alpha::none ? 1 : 0);
    const std::string_view space = text_of(profile->icc).substr(space_at, 4);
    const bool fits = colours == 1 ? space == "GRAY" : colours == 3 && space == "RGB ";
    return fits ? picture.profile : nullptr;
}

bool carries_profile(const std::filesystem::path& path, const RowSource& picture) {
    const Codec* codec = codec_of_extension(path);
    const ColourProfile* profile = picture.profile.get();
    if (!codec || !profile || profile->applied || codec->writing.data) return true;
    const ColourProfile standard;
    if (profile->linear_light && profile->chromaticities == standard.chromaticities) return codec->writing.linear;
    return written_profile(*codec, picture) != nullptr;
}

}  // namespace texelscope
