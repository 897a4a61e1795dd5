#pragma once
// The screen's colour profile, as colour managers announce it.

#include <cstddef>
#include <vector>

namespace texelscope {

// The bytes of the property _ICC_PROFILE of the X display's root window (ICC Profiles in X Specification 0.4); empty if
// there is none, or no X display.
std::vector<std::byte> screen_profile();

}  // namespace texelscope
