#pragma once

namespace texelscope {

// What the stored values of an image are interpolated as.
enum class Light {
    stored,  // as they are
    linear   // sRGB-decoded before, and coded again after
};

}  // namespace texelscope
