#pragma once
// The colour profile of an image that is written with its stored values.

#include <filesystem>
#include <memory>
#include <string>

#include "app/files/bytes/rows.h"

namespace texelscope {

// Gives `result`, of stored values of an image with this profile, the profile if that can be used. Returns what is lost in a
// file of this name, "the stored values are written, but …"; empty if nothing is: the colours are sRGB, or the file says what
// they are. Asks a decoder: blocks for 5 s at most.
std::string pass_profile(const std::shared_ptr<const ColourProfile>& profile, RowSource& result,
                         const std::filesystem::path& path);
std::string pass_profile(const Image& source, Image& result, const std::filesystem::path& path);

}  // namespace texelscope
