#pragma once
// Where an image comes from, as the user writes it: a file, or a built-in test image.

#include <string>

#include "gpu/core/image.h"

namespace texelscope {

// "@id", "@id:512" and "@id:640x480" are test images, everything else is a path. Throws Error.
Image load_image(const std::string& source);

}  // namespace texelscope
