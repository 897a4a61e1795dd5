#pragma once
// What a file says about its colours. It is for showing them: interpolation works on the stored values.

#include <array>
#include <cstddef>
#include <vector>

namespace texelscope {

struct ColourProfile {
    std::vector<std::byte> icc;  // an ICC profile, unchecked; if empty, the colours are as follows

    // x and y of red, green, blue and white (CIE 1931). The standard ones: those of sRGB (IEC 61966-2-1).
    std::array<double, 8> chromaticities = {0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290};
    double exponent = 0;  // light = value to this power; 0: sRGB's curve

    // The values are light without bounds (`exponent` is 1): exposure and tone curve come before the screen's curve.
    bool linear_light = false;

    // The profile is for inks, and the samples have been made sRGB by it when the file was read, if it can be used.
    bool applied = false;
};

// Whether the samples are linear light by the file's own statement: there is nothing to decode.
inline bool is_linear(const ColourProfile* profile) {
    return profile && profile->icc.empty() && profile->exponent == 1;
}

}  // namespace texelscope
