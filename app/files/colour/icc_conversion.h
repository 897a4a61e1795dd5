#pragma once
// What a colour profile means for the screen, worked out with Little CMS from bytes that may be hostile: to be called where
// a crash harms nothing. The program asks by profile_question.h.

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/display/colour_conversion.h"

namespace texelscope {

struct ProfileConversion {
    std::string name;     // of the profile: "Adobe RGB (1998)"
    std::string problem;  // why it cannot be used, one sentence; then nothing is converted

    // From the image's colours to the screen's. kind `none`: they are the same to the eighth bit.
    ColourConversion conversion;  // without `values`, which are:
    std::vector<float> values;
};

// For 1 or 3 colour channels: from a profile to the screen's; an empty `screen` is sRGB. Relative colorimetric, for tables
// by the intent that the profile names.
ProfileConversion make_conversion(const ColourProfile& profile, int colours, const std::vector<std::byte>& screen);

// As the profile calls itself, or why it has no name: printable ASCII.
std::string name_of_profile(const std::vector<std::byte>& icc);

// The name of a screen's profile, which must be one for RGB. Throws Error for all others.
std::string name_of_screen(const std::vector<std::byte>& icc);

}  // namespace texelscope
