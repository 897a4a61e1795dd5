#pragma once

namespace texelscope {

// How the stored values of an image are interpreted for interpolation.
enum class Light {
    stored,  // as they are
    linear   // sRGB-decoded before, and coded again after; what is linear by its profile, as it is
};

}  // namespace texelscope
