#pragma once
// What was probably meant by a name that nothing has.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace texelscope {

// The name that begins with the typed text, else the one that is the fewest letters away, in upper or lower case. Empty if
// none is near.
std::string_view nearest_name(std::string_view typed, std::span<const std::string_view> names);

// " (did you mean bspline?)", to follow what is wrong; empty if none is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names);

// The same for a file that is missing, of the names in its folder. Hidden files are not offered.
std::string did_you_mean_file(const std::filesystem::path& missing);

}  // namespace texelscope
