#pragma once
// What an image's colour profile means for the screen, worked out with Little CMS.

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/colour_profile.h"
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

// For an image of 1 or 3 colour channels; null if there is nothing to say: no profile, and a screen that is sRGB, or
// channels that are no colours. Relative colorimetric, for tables by the intent that the profile names.
// Worked out once for each profile; may be called from any thread.
std::shared_ptr<const ProfileConversion> profile_conversion(const Image& image);

// The ICC profile of the screen, for all conversions from now on; empty, unreadable or not for RGB: sRGB. Returns its
// name, or "sRGB".
std::string set_screen_profile(std::vector<std::byte> icc);

// Not kept: from a profile to the screen's; an empty `screen` is sRGB. For tests, too.
ProfileConversion make_conversion(const ColourProfile& profile, int colours, const std::vector<std::byte>& screen);

}  // namespace texelscope
