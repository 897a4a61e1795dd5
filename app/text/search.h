#pragma once
// Finding what has been typed.

#include <string_view>

namespace texelscope {

// Ignores the case of ASCII letters. Every text contains an empty needle.
bool contains_ignoring_case(std::string_view text, std::string_view needle);

}  // namespace texelscope
