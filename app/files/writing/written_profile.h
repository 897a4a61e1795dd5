#pragma once
// Colour profiles in files that are written.

#include <filesystem>
#include <memory>

#include "app/files/bytes/row_source.h"
#include "app/files/codecs/codecs.h"

namespace texelscope {

// The profile whose ICC bytes go into a file of this format; null: the picture has none for its channels, or this build
// cannot write it.
std::shared_ptr<const ColourProfile> written_profile(const Codec& codec, const RowSource& picture);

// Whether a file of this name says of the picture's colours what its profile says: by an ICC profile, or because all files of
// its format are like that. Formats of plain numbers (.npy, .pfm) say nothing, and nobody expects it: true.
bool carries_profile(const std::filesystem::path& path, const RowSource& picture);

}  // namespace texelscope
